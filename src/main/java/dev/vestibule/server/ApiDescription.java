package dev.vestibule.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;

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
            return new YAMLMapper().readTree(yaml);
        } catch (IOException failure) {
            throw new UncheckedIOException("the jar's " + RESOURCE + " cannot be read", failure);
        }
    }
}
