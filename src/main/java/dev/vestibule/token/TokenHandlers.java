package dev.vestibule.token;

/** The operations on signing keys, for one event loop. */
public record TokenHandlers(GetJwksHandler jwks, RotateSigningKeysHandler rotateSigningKeys) {}
