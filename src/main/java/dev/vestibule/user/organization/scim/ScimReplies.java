package dev.vestibule.user.organization.scim;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Responses in the media type of SCIM, also for what goes wrong before an operation runs. */
public final class ScimReplies {
    static final String MEDIA_TYPE = "application/scim+json";

    private static final String PATHS = "/v1/scim/";
    private static final String ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";
    private static final int NOT_IMPLEMENTED = 501;

    private ScimReplies() {}

    static Reply of(int status, Object body) {
        return new Reply(status, Json.encode(body), Map.of("Content-Type", MEDIA_TYPE, "Cache-Control", "no-store"));
    }

    static Reply noContent() {
        return new Reply(204, Buffer.buffer(), Map.of("Cache-Control", "no-store"));
    }

    static Reply notImplemented(String detail) {
        return of(NOT_IMPLEMENTED, body(NOT_IMPLEMENTED, detail, null));
    }

    /** The response to a request of a SCIM client (RFC 7644, 3.12); empty for all other paths. */
    public static Optional<Future<Reply>> failed(String path, ApiException error) {
        if (!path.startsWith(PATHS)) {
            return Optional.empty();
        }
        var status = error.status() == ErrorStatus.UNPROCESSABLE
                ? ErrorStatus.BAD_REQUEST.code()
                : error.status().code();
        var reply = of(status, body(status, error.message(), type(error)));
        return Optional.of(Future.succeededFuture(
                error.status() == ErrorStatus.UNAUTHORIZED ? reply.withHeader("WWW-Authenticate", "Bearer") : reply));
    }

    private static @Nullable String type(ApiException error) {
        var given = error.extraFields().get(ScimErrors.TYPE);
        if (given != null) {
            return given.toString();
        }
        if (error.status() == ErrorStatus.UNPROCESSABLE) {
            return "invalidValue";
        }
        if (error.code() == ErrorCode.EMAIL_TAKEN) {
            return "uniqueness";
        }
        return error.code() == ErrorCode.MALFORMED_BODY ? "invalidSyntax" : null;
    }

    private static Map<String, Object> body(int status, String detail, @Nullable String type) {
        var body = new LinkedHashMap<String, Object>();
        body.put("schemas", List.of(ERROR));
        body.put("status", String.valueOf(status));
        if (type != null) {
            body.put(ScimErrors.TYPE, type);
        }
        body.put("detail", detail);
        return body;
    }
}
