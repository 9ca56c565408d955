package dev.vestibule.user;

/** What a way in of one factor has to ask for next. */
public enum SecondFactor {
    /** Nothing: the account has no second factor. */
    NONE,
    /** A one-time password or backup code. */
    TOTP,
    /** A passkey that verifies the person, which is then both factors; the account has no one-time passwords. */
    PASSKEY
}
