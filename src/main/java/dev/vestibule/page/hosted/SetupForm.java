package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.Form;
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
    CONNECTION_REMOVED(Quota.CODE, "", "connectionId"),
    DIRECTORY_CREATED(Quota.CODE, "name", ""),
    DIRECTORY_ON(Quota.CODE, "", "directoryId"),
    DIRECTORY_OFF(Quota.CODE, "", "directoryId"),
    DIRECTORY_REMOVED(Quota.CODE, "", "directoryId"),
    TOKEN_CREATED(Quota.CODE, "", "directoryId"),
    TOKEN_WITHDRAWN(Quota.CODE, "", "directoryId");

    private static final String TOKEN = "tokenId";

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

    /** A token is one of its directory's. */
    @Override
    public void nameItem(ApiRequest request, MultiMap entered) {
        OperationForm.super.nameItem(request, entered);
        if (this == TOKEN_WITHDRAWN) {
            request.replacePathParam(TOKEN, Form.value(entered, TOKEN));
        }
    }

    /** The entered values as the request body of the operation. */
    ObjectNode body(MultiMap entered) {
        var body = JsonNodeFactory.instance.objectNode();
        if (isSwitch()) {
            return body.put("enabled", this == CONNECTION_ON || this == DIRECTORY_ON);
        }
        for (var field : List.of(fields.split(" ", -1))) {
            var text = entered.get(field);
            if (text != null) {
                body.put(field, text);
            }
        }
        return body;
    }

    private boolean isSwitch() {
        return switch (this) {
            case CONNECTION_ON, CONNECTION_OFF, DIRECTORY_ON, DIRECTORY_OFF -> true;
            default -> false;
        };
    }
}
