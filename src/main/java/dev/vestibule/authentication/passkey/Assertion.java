package dev.vestibule.authentication.passkey;

/**
 * What an authenticator signed in a sign in.
 *
 * @param userVerified whether it verified the person, for example by a fingerprint or a PIN, and not only presence
 */
record Assertion(long signCount, boolean backupEligible, boolean backedUp, boolean userVerified) {}
