package dev.vestibule.authentication.passkey;

/**
 * What an authenticator has signed at a sign in.
 *
 * @param userVerified whether it verified the person, as by a fingerprint or a PIN, and not only that there is one
 */
record Assertion(long signCount, boolean backupEligible, boolean backedUp, boolean userVerified) {}
