package dev.vestibule.authentication.phone;

/** The operations with phone numbers, for one event loop. */
public record PhoneHandlers(
        RequestSmsOtpHandler requestSmsOtp,
        RequestPhoneVerificationHandler requestVerification,
        VerifyPhoneHandler verify) {}
