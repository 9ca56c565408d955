package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.http.limits.Quota;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The forms of the account page; each stands for an operation of the API. */
enum AccountForm implements OperationForm {
    PROFILE(Quota.CHANGE, "displayName", ""),
    PICTURE(Quota.CHANGE, "avatarUrl", ""),
    PICTURE_REMOVED(Quota.CHANGE, "avatarUrl", ""),
    PASSWORD(Quota.SIGN_IN, "currentPassword newPassword", ""),
    EMAIL(Quota.CODE, "email currentPassword", ""),
    EMAIL_CODE(Quota.CODE, "code", ""),
    PHONE(Quota.CODE, "phone", ""),
    PHONE_CODE(Quota.CODE, "phone code", ""),
    FACTOR(null, "", ""),
    FACTOR_CODE(Quota.SIGN_IN, "code", ""),
    FACTOR_OFF(Quota.SIGN_IN, "code", ""),
    BACKUP_CODES(Quota.SIGN_IN, "code", ""),
    PASSKEY_OPTIONS(Quota.SIGN_IN, "", ""),
    PASSKEY_ADDED(Quota.SIGN_IN, "clientDataJSON attestationObject", ""),
    PASSKEY_NAME(Quota.CHANGE, "name", "passkeyId"),
    PASSKEY_REMOVED(Quota.CHANGE, "", "passkeyId"),
    PROVIDER_LINKED(Quota.OAUTH, "", "provider"),
    PROVIDER_UNLINKED(Quota.CHANGE, "", "provider"),
    WALLET_UNLINKED(Quota.CHANGE, "", "walletId"),
    ORGANIZATION_JOINED(Quota.SIGN_UP, "", "organizationId"),
    ORGANIZATION_LEFT(Quota.CHANGE, "", "organizationId"),
    SESSION_ENDED(null, "", "sessionId"),
    SESSIONS_ENDED(null, "", ""),
    ACCESS_WITHDRAWN(Quota.CHANGE, "", ""),
    DELETE(Quota.SIGN_IN, "currentPassword", ""),
    SIGN_OUT(null, "", "");

    private final @Nullable Quota quota;
    private final String fields;
    private final String item;

    AccountForm(@Nullable Quota quota, String fields, String item) {
        this.quota = quota;
        this.fields = fields;
        this.item = item;
    }

    /** Finds a form by its part of the URL. */
    static Optional<AccountForm> of(String text) {
        return OperationForm.find(values(), text);
    }

    /** The limit of the operation's own route, if it has one. */
    Optional<Quota> quota() {
        return Optional.ofNullable(quota);
    }

    @Override
    public String item() {
        return item;
    }

    /** The entered values as the request body of the operation; an optional one that was left empty is not in it. */
    ObjectNode body(MultiMap entered) {
        var names = List.of(fields.split(" ", -1));
        if (this == PASSKEY_ADDED) {
            return HostedForm.credential(entered, names);
        }
        var body = JsonNodeFactory.instance.objectNode();
        for (var field : names) {
            var text = entered.get(field);
            if (this == PICTURE_REMOVED || (this == PROFILE && text != null && text.isBlank())) {
                body.putNull(field);
            } else if (text != null && !(field.equals("currentPassword") && text.isEmpty())) {
                body.put(field, text);
            }
        }
        return body;
    }
}
