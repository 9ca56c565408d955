package dev.vestibule.session;

import java.util.UUID;

/** The organization that the tokens of a session are for, and the user's role in it. */
public record SessionOrganization(UUID id, String slug, String role) {}
