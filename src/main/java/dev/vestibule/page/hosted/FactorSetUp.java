package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.authentication.factor.Factors.Setup;
import java.util.ArrayList;
import java.util.List;

/**
 * The authenticator app that a person sets up in order to sign in, or on the account page.
 *
 * @param mfaToken the token for the first step of the sign in; empty on the account page
 * @param backupCodes shown after the app is confirmed
 */
record FactorSetUp(String mfaToken, String secret, String uri, List<String> backupCodes) {
    private static final int GROUP = 4;

    FactorSetUp {
        backupCodes = List.copyOf(backupCodes);
    }

    static FactorSetUp of(String mfaToken, Setup setUp) {
        return new FactorSetUp(mfaToken, setUp.secret(), setUp.qrCodeUri(), setUp.backupCodes());
    }

    /** Reads the fields that {@link #fields} wrote. */
    static FactorSetUp of(JsonNode fields) {
        var codes = new ArrayList<String>();
        fields.path("backupCodes").forEach(code -> codes.add(code.asText()));
        return new FactorSetUp(
                fields.path("mfaToken").asText(),
                fields.path("secret").asText(),
                fields.path("qrCodeUri").asText(),
                codes);
    }

    /** The fields for the form, which are signed. */
    ObjectNode fields() {
        var fields = JsonNodeFactory.instance
                .objectNode()
                .put("mfaToken", mfaToken)
                .put("secret", secret)
                .put("qrCodeUri", uri);
        backupCodes.forEach(fields.putArray("backupCodes")::add);
        return fields;
    }

    /** The secret in groups, since people copy it by hand; apps accept it with or without the spaces. */
    String readableSecret() {
        return secret.replaceAll("(.{" + GROUP + "})(?=.)", "$1 ");
    }

    /** Redacted, so that no secret reaches a log. */
    @Override
    public String toString() {
        return "FactorSetUp";
    }
}
