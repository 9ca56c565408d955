package dev.vestibule.authentication.factor;

/** Whom a provider calls a user, as {@code identities} has it. */
public record LinkedIdentity(String provider, String issuer, String subject) {}
