package dev.vestibule.token;

import dev.vestibule.token.template.JwtTemplateHandler;

/** The operations on signing keys and templates, for one event loop. */
public record TokenHandlers(SigningKeyHandler signingKeys, JwtTemplateHandler templates) {}
