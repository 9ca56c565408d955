package dev.vestibule.mail;

import dev.vestibule.journal.NoticeKind;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.UUID;

/** A claimed mail or SMS of the outbox; {@code attempts} includes the current one. */
public sealed interface OutboxMessage {
    ProjectId project();

    UUID id();

    String recipient();

    Language language();

    Instant createdAt();

    int attempts();

    /** The beginning of the keys of its phrases. */
    String phrases();

    /**
     * A mail or SMS with a code or a link, or with the token of an invitation.
     *
     * @param subject the key of the code's row
     */
    record QueuedCode(
            ProjectId project,
            UUID id,
            CodePurpose purpose,
            String recipient,
            Buffer subject,
            Language language,
            Instant createdAt,
            int attempts)
            implements OutboxMessage {
        @Override
        public String phrases() {
            return purpose.text();
        }

        @Override
        public String toString() {
            return "QueuedCode[" + id + "]"; // a number has no place in a log
        }
    }

    /** A mail that tells a user what happened to the account. */
    record QueuedNotice(
            ProjectId project,
            UUID id,
            UserId user,
            NoticeKind kind,
            String recipient,
            Language language,
            Buffer sealed,
            Instant createdAt,
            int attempts)
            implements OutboxMessage {
        @Override
        public String phrases() {
            return kind.phrases();
        }
    }
}
