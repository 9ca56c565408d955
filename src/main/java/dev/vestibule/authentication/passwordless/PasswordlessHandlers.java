package dev.vestibule.authentication.passwordless;

/** The operations of signing in without a password, for one event loop. */
public record PasswordlessHandlers(
        SendMagicLinkHandler sendMagicLink,
        SendLinkToPageHandler sendLinkToPage,
        VerifyLinkOfPageHandler verifyLinkOfPage,
        SendEmailOtpHandler sendEmailOtp,
        VerifyPasswordlessHandler verify,
        SendBackendPasswordlessHandler sendForBackend,
        VerifyBackendPasswordlessHandler verifyForBackend) {}
