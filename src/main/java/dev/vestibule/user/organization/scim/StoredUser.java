package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.json.Json;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A user of a directory.
 *
 * @param email that the directory wants the account to have
 * @param isMade whether the directory has made the account
 * @param groupRole that groups gave last
 * @param isActive whether they are a member of the organization
 * @param attributes as JSON
 */
record StoredUser(
        UserId id,
        String userName,
        @Nullable String externalId,
        String email,
        boolean isMade,
        @Nullable String groupRole,
        boolean isActive,
        String attributes,
        Instant createdAt,
        Instant updatedAt) {
    /** The resource without what only the server says of it. */
    ObjectNode resource() {
        var resource = ScimJson.caseless((ObjectNode) Json.parse(Buffer.buffer(attributes)));
        resource.put("userName", userName);
        if (externalId != null) {
            resource.put("externalId", externalId);
        }
        resource.put("active", isActive);
        return resource;
    }

    /** What the directory has said of the user so far. */
    ScimUser said() {
        return ScimUser.read(resource());
    }
}
