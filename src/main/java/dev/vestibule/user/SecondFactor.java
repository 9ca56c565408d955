package dev.vestibule.user;

/** What a sign in with one factor must ask for next. */
public enum SecondFactor {
    /** Nothing: the account has no second factor. */
    NONE,
    /** A one-time password or backup code. */
    TOTP,
    /** A passkey that verifies the person and so counts as both factors; the account has no one-time passwords. */
    PASSKEY
}
