package dev.vestibule.authentication.factor;

/** A user's identity at a provider, as stored in {@code identities}. */
public record LinkedIdentity(String provider, String issuer, String subject) {}
