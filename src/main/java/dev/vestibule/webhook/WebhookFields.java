package dev.vestibule.webhook;

import dev.vestibule.event.EventKind;
import dev.vestibule.json.FieldType;
import java.util.List;

/** The rules of an endpoint's fields. */
final class WebhookFields {
    private static final int MAX_EVENTS = 100;

    /** Kinds of events, or all; a kind that comes twice counts once. */
    static final FieldType<List<String>> EVENTS = FieldType.strings(1, MAX_EVENTS, EventKind::subscribable);

    private WebhookFields() {}
}
