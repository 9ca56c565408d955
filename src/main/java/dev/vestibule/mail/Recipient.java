package dev.vestibule.mail;

import dev.vestibule.user.UserId;
import org.jspecify.annotations.Nullable;

/** The user with the address at the time of sending, and the branding and the reset page of the project. */
record Recipient(
        UserId id,
        @Nullable String displayName,
        boolean emailVerified,
        boolean isBanned,
        MailBranding brand,
        @Nullable String passwordResetUrl) {}
