package dev.vestibule.mail;

import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.UUID;

/** A claimed mail of the outbox; {@code attempts} includes the current one. */
sealed interface Queued permits MailStore.QueuedMail, PasswordlessMailStore.QueuedSignIn, NoticeStore.QueuedNotice {
    ProjectId project();

    UUID id();

    String email();

    Language language();

    Instant createdAt();

    int attempts();
}
