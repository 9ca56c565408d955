package dev.vestibule.authentication.passkey;

import dev.vestibule.authentication.passkey.PasskeyVerifier.NewCredential;
import dev.vestibule.authentication.passkey.PasskeyVerifier.SignedChallenge;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The validation rules of what clients send about passkeys: binary fields are base64url without padding. */
final class PasskeyFields {
    private static final int MAX_NAME = 100;

    /** The maximum in WebAuthn (Level 3, 5.8.3). */
    private static final int MAX_CREDENTIAL_ID = 1023;

    private static final int MAX_CLIENT_DATA = 4096;

    /** With room for the certificates of an attestation, which some authenticators send without being asked. */
    private static final int MAX_ATTESTATION = 16_384;

    private static final int MAX_AUTHENTICATOR_DATA = 2048;
    private static final int MAX_SIGNATURE = 1024;
    private static final int MAX_USER_HANDLE = 64; // as WebAuthn allows

    private PasskeyFields() {}

    static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    static NewCredential created(Fields fields) {
        var id = credentialId(fields);
        var response = fields.object("response");
        return new NewCredential(
                id,
                response.required("attestationObject", bytes(MAX_ATTESTATION)),
                response.required("clientDataJSON", bytes(MAX_CLIENT_DATA)));
    }

    static SignedChallenge signed(Fields fields) {
        var id = credentialId(fields);
        var response = fields.object("response");
        return new SignedChallenge(
                id,
                response.required("authenticatorData", bytes(MAX_AUTHENTICATOR_DATA)),
                response.required("clientDataJSON", bytes(MAX_CLIENT_DATA)),
                response.required("signature", bytes(MAX_SIGNATURE)));
    }

    /** Null or empty if the authenticator sent none. */
    static @Nullable Buffer userHandle(Fields fields) {
        return fields.object("response")
                .optional("userHandle", text -> text.isEmpty() ? Buffer.buffer() : decode(text, MAX_USER_HANDLE));
    }

    private static Buffer credentialId(Fields fields) {
        var id = fields.required("id", bytes(MAX_CREDENTIAL_ID));
        var raw = fields.required("rawId", bytes(MAX_CREDENTIAL_ID));
        if (id != null && raw != null && !id.equals(raw)) {
            fields.reject("rawId", "must be the same as id");
        }
        fields.required("type", PasskeyFields::type);
        return id;
    }

    private static String type(String text) {
        if (!text.equals("public-key")) {
            throw new InvalidValueException("must be public-key");
        }
        return text;
    }

    private static FieldType<Buffer> bytes(int most) {
        return FieldType.text(characters(most), text -> decode(text, most));
    }

    /** The number of base64url characters without padding. */
    private static int characters(int bytes) {
        return (bytes * 4 + 2) / 3;
    }

    private static Buffer decode(String text, int most) {
        if (text.isEmpty() || text.length() > characters(most)) {
            throw new InvalidValueException("must be 1 to " + most + " bytes in base64url");
        }
        try {
            return Buffer.buffer(Base64.getUrlDecoder().decode(text));
        } catch (IllegalArgumentException invalid) {
            throw new InvalidValueException("must be 1 to " + most + " bytes in base64url, without padding");
        }
    }
}
