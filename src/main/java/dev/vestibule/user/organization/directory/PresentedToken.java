package dev.vestibule.user.organization.directory;

import java.time.Instant;
import java.util.UUID;

/** A token of a request that is there, and its directory. */
public record PresentedToken(UUID id, Instant lastUsedAt, Directory directory) {}
