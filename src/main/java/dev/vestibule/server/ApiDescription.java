package dev.vestibule.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.vestibule.json.Json;
import dev.vestibule.project.member.Role;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The OpenAPI description of this server, as JSON. */
public final class ApiDescription {
    private static final String RESOURCE = "/openapi.yaml";

    private ApiDescription() {}

    public static Buffer json() {
        return Json.encode(tree());
    }

    /** The description (OpenAPI 3.1), parsed at each call. */
    public static JsonNode tree() {
        try (var yaml = ApiDescription.class.getResourceAsStream(RESOURCE)) {
            if (yaml == null) {
                throw new IllegalStateException("the jar has no " + RESOURCE);
            }
            var tree = new YAMLMapper().readTree(yaml);
            tree.path("paths").forEach(path -> path.forEach(ApiDescription::tellRoles));
            return tree;
        } catch (IOException failure) {
            throw new UncheckedIOException("the jar's " + RESOURCE + " cannot be read", failure);
        }
    }

    /** Few readers find the role in the security of an operation, so a sentence says which members can call it. */
    private static void tellRoles(JsonNode operation) {
        for (var alternative : operation.path("security")) {
            for (var least : alternative.path("accessToken")) {
                var roles = Arrays.stream(Role.values())
                        .filter(role -> role.includes(Role.of(least.asText())))
                        .map(role -> "`" + role.text() + "`")
                        .collect(Collectors.joining(", "));
                var description = operation.path("description").asText().stripTrailing();
                ((ObjectNode) operation).put("description", description + "\n\nRoles of members: " + roles + ".\n");
            }
        }
    }
}
