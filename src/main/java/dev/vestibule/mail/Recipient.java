package dev.vestibule.mail;

import dev.vestibule.user.UserId;
import org.jspecify.annotations.Nullable;

/** Whose address a mail goes to, as it stands when the mail is sent, and in whose brand. */
record Recipient(
        UserId id, @Nullable String displayName, boolean emailVerified, boolean isBanned, MailBranding brand) {}
