package dev.vestibule.webhook;

import dev.vestibule.event.EventKind;
import dev.vestibule.json.FieldType;
import java.util.List;

/** The types of an endpoint's fields. */
final class WebhookFields {
    private static final int MAX_EVENTS = 100;

    /** Kinds of events, or {@code *}; a kind that is given twice counts once. */
    static final FieldType<List<String>> EVENTS = FieldType.strings(1, MAX_EVENTS, EventKind::subscribable);

    private WebhookFields() {}
}
