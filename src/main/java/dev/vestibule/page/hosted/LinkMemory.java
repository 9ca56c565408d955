package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * What a browser that has asked for a link by mail keeps until the link is opened: for what email, and what the application
 * has asked for. It is a signed cookie of this browser, since nothing of it belongs in a mail.
 */
record LinkMemory(String email, String request) {
    private static final String EMAIL = "linkEmail";
    private static final String REQUEST = "linkRequest";

    ObjectNode fields() {
        return JsonNodeFactory.instance.objectNode().put(EMAIL, email).put(REQUEST, request);
    }

    static Optional<LinkMemory> of(ObjectNode fields) {
        return fields.hasNonNull(EMAIL) && fields.hasNonNull(REQUEST)
                ? Optional.of(new LinkMemory(
                        fields.path(EMAIL).asText(), fields.path(REQUEST).asText()))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return "LinkMemory";
    }
}
