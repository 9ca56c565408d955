package dev.vestibule.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.event.EventKind;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import java.util.List;
import java.util.function.Function;

/** The types of an endpoint's fields, and how a body with them is read. */
final class WebhookFields {
    private static final int MAX_EVENTS = 100;

    /** Kinds of events, or {@code *}; a kind that is given twice counts once. */
    static final FieldType<List<String>> EVENTS = FieldType.strings(1, MAX_EVENTS, EventKind::subscribable);

    private WebhookFields() {}

    /** Reads a body that may name the project too, which the guard has compared with the caller's. */
    static <T> T read(ObjectNode body, Function<Fields, T> reader) {
        return Fields.readStrictly(body, fields -> {
            fields.ignore("projectId");
            return reader.apply(fields);
        });
    }
}
