package dev.vestibule.session;

import dev.vestibule.user.UserId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A client's grant as events show it, without what only the client knows. */
public record GrantData(
        UUID id, String clientId, @Nullable UserId userId, List<String> scopes, List<String> resources) {}
