package dev.vestibule.session;

import dev.vestibule.user.UserId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What events tell of the grant of a client, without what only the client knows. */
public record GrantData(
        UUID id, String clientId, @Nullable UserId userId, List<String> scopes, List<String> resources) {}
