package dev.vestibule.mail;

import dev.vestibule.journal.NoticeKind;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.UUID;

/** A claimed mail of the outbox; {@code attempts} includes the current one. */
sealed interface OutboxMail {
    ProjectId project();

    UUID id();

    String email();

    Language language();

    Instant createdAt();

    int attempts();

    /** A mail with a code or a link, or with the token of an invitation. */
    record QueuedMail(
            ProjectId project,
            UUID id,
            CodePurpose purpose,
            String email,
            Language language,
            boolean isFromKnownNetwork,
            Instant createdAt,
            int attempts)
            implements OutboxMail {}

    /** A mail that tells a user what happened to the account. */
    record QueuedNotice(
            ProjectId project,
            UUID id,
            UserId user,
            NoticeKind kind,
            String email,
            Language language,
            Buffer sealed,
            Instant createdAt,
            int attempts)
            implements OutboxMail {}
}
