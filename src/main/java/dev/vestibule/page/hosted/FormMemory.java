package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.json.Json;
import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a form carries from one step of a sign in to the next, signed: it is good in this project and this browser alone. */
final class FormMemory {
    private static final Pattern SHAPE = Pattern.compile("([A-Za-z0-9_-]{1,6000})\\.([A-Za-z0-9_-]{43})");

    private final KeyedHash hash;

    FormMemory(MasterKeys masterKeys) {
        this.hash = new KeyedHash(masterKeys, "hosted page steps");
    }

    String write(HostedVisit visit, ObjectNode fields) {
        var payload = HostedRequest.base64(Json.encode(fields).getBytes());
        return payload + "." + HostedRequest.base64(hash.hash(message(visit, payload)));
    }

    Optional<ObjectNode> read(HostedVisit visit, String text) {
        var parts = SHAPE.matcher(text);
        var decoder = Base64.getUrlDecoder();
        return parts.matches() && hash.matches(message(visit, parts.group(1)), decoder.decode(parts.group(2)))
                ? Optional.of((ObjectNode) Json.parse(Buffer.buffer(decoder.decode(parts.group(1)))))
                : Optional.empty();
    }

    private static byte[] message(HostedVisit visit, String payload) {
        ProjectId project = visit.project().id();
        return (project + "." + visit.cookie() + "." + payload).getBytes(StandardCharsets.US_ASCII);
    }
}
