package dev.vestibule.token;

import dev.vestibule.token.template.JwtTemplateHandlers;

/** The operations on signing keys and templates, for one event loop. */
public record TokenHandlers(
        GetJwksHandler jwks, RotateSigningKeysHandler rotateSigningKeys, JwtTemplateHandlers templates) {}
