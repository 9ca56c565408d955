package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.user.organization.directory.DirectoryHandler;
import dev.vestibule.user.organization.scim.ScimRequests.Listed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What the SCIM server of a directory can do (RFC 7644, 4), the same for each. */
public final class ScimServiceHandler {
    private static final Listed ALL = new Listed(ScimFilter.ALL, ScimAttributes.read(null, null), 1, 100);

    private final URI publicUrl;
    private final ObjectNode service;

    ScimServiceHandler(URI publicUrl) {
        this.publicUrl = publicUrl;
        this.service = resource();
    }

    private static ObjectNode resource() {
        try (var in = ScimServiceHandler.class.getResourceAsStream("/scim.json")) {
            return (ObjectNode)
                    Json.parse(Buffer.buffer(Objects.requireNonNull(in).readAllBytes()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** {@code GET …/ServiceProviderConfig}. */
    public Future<Reply> config(ApiRequest request) {
        return reply(located(
                request, (ObjectNode) service.path("config"), "ServiceProviderConfig", "/ServiceProviderConfig"));
    }

    private static Future<Reply> reply(Object body) {
        return Future.succeededFuture(ScimReplies.of(200, body));
    }

    private ObjectNode located(ApiRequest request, ObjectNode one, String type, String path) {
        var copy = one.deepCopy();
        copy.set(
                "meta",
                ScimJson.object()
                        .put("resourceType", type)
                        .put(
                                "location",
                                DirectoryHandler.baseUrl(
                                                publicUrl,
                                                request.project().id(),
                                                request.directory().id())
                                        + path));
        return copy;
    }

    /** {@code GET …/ResourceTypes}. */
    public Future<Reply> listResourceTypes(ApiRequest request) {
        return list(request, "resourceTypes", "ResourceType", "/ResourceTypes/");
    }

    /** {@code GET …/Schemas}. */
    public Future<Reply> listSchemas(ApiRequest request) {
        return list(request, "schemas", "Schema", "/Schemas/");
    }

    /** A filter is forbidden (RFC 7644, 4). */
    private Future<Reply> list(ApiRequest request, String name, String type, String path) {
        if (request.queryParams().contains("filter")) {
            throw ApiException.of(ErrorCode.CREDENTIAL_NOT_ALLOWED, "This list takes no filter.");
        }
        var all = all(request, name, type, path);
        return reply(ALL.response(all.size(), all));
    }

    private List<ObjectNode> all(ApiRequest request, String name, String type, String path) {
        var all = new ArrayList<ObjectNode>();
        ((ArrayNode) service.path(name))
                .forEach(one -> all.add(located(
                        request, (ObjectNode) one, type, path + one.path("id").asText())));
        return all;
    }

    /** {@code GET …/ResourceTypes/:name}. */
    public Future<Reply> getResourceType(ApiRequest request) {
        return one(request, "resourceTypes", "ResourceType", "/ResourceTypes/");
    }

    /** {@code GET …/Schemas/:name}. */
    public Future<Reply> getSchema(ApiRequest request) {
        return one(request, "schemas", "Schema", "/Schemas/");
    }

    private Future<Reply> one(ApiRequest request, String name, String type, String path) {
        return all(request, name, type, path).stream()
                .filter(one -> one.path("id").asText().equals(request.pathParam("name")))
                .findFirst()
                .map(ScimServiceHandler::reply)
                .orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is no such " + type + "."));
    }

    /** {@code POST …/.search}: users and groups are searched each at its own path. */
    public Future<Reply> search(ApiRequest request) {
        return Future.succeededFuture(
                ScimReplies.notImplemented("Users and groups are not searched at once. Use GET with a filter."));
    }
}
