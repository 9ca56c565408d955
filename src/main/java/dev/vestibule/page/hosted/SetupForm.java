package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.http.limits.Quota;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;

/** The forms of the page that a setup link opens; each stands for an operation of the API. */
enum SetupForm implements OperationForm {
    DOMAIN_ADDED(Quota.CODE, "domain", ""),
    DOMAIN_VERIFIED(Quota.CODE, "", "domainId"),
    DOMAIN_POLICY(Quota.CODE, "policy", "domainId"),
    DOMAIN_REMOVED(Quota.CODE, "", "domainId"),
    CONNECTION_ADDED(Quota.CODE, "name issuer clientId clientSecret", ""),
    CONNECTION_TRIED(Quota.OAUTH, "", "provider"),
    CONNECTION_ON(Quota.CODE, "", "connectionId"),
    CONNECTION_OFF(Quota.CODE, "", "connectionId"),
    CONNECTION_REMOVED(Quota.CODE, "", "connectionId");

    private final Quota quota;
    private final String fields;
    private final String item;

    SetupForm(Quota quota, String fields, String item) {
        this.quota = quota;
        this.fields = fields;
        this.item = item;
    }

    /** Finds a form by its part of the URL. */
    static Optional<SetupForm> of(String text) {
        return OperationForm.find(values(), text);
    }

    Quota quota() {
        return quota;
    }

    @Override
    public String item() {
        return item;
    }

    /** The entered values as the request body of the operation. */
    ObjectNode body(MultiMap entered) {
        var body = JsonNodeFactory.instance.objectNode();
        if (this == CONNECTION_ON || this == CONNECTION_OFF) {
            return body.put("enabled", this == CONNECTION_ON);
        }
        for (var field : List.of(fields.split(" ", -1))) {
            var text = entered.get(field);
            if (text != null) {
                body.put(field, text);
            }
        }
        return body;
    }
}
