package dev.vestibule.mail;

/** All that this room does for a sign in or for a change of an account, since most of them need several of these. */
public record Mails(MailOutbox outbox, EmailCodes codes, EmailChanges changes, PasswordlessMails passwordless) {}
