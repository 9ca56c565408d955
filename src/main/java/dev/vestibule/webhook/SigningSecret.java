package dev.vestibule.webhook;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.project.ProjectId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that deliveries are signed with (Standard Webhooks 1.0). It is shown once and sealed at rest. */
public final class SigningSecret {
    private static final String PREFIX = "whsec_";
    private static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final String VERSION = "v1,";
    private static final String TEXT_KEY_VERSION = "v1=";

    private final SecretKeySpec key;

    private SigningSecret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    public static SigningSecret generate() {
        return new SigningSecret(RandomSecrets.bytes(BYTES));
    }

    /** Opens what {@link #seal} made for the same webhook. */
    public static SigningSecret open(Sealer sealer, ProjectId project, UUID webhook, byte[] sealed) {
        return new SigningSecret(sealer.open(sealed, context(project, webhook)));
    }

    public byte[] seal(Sealer sealer, ProjectId project, UUID webhook) {
        return sealer.seal(key.getEncoded(), context(project, webhook));
    }

    static byte[] context(ProjectId project, UUID webhook) {
        return ("webhook secret " + project + " " + webhook).getBytes(StandardCharsets.UTF_8);
    }

    /** The form in which its owner sees it. */
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key.getEncoded());
    }

    /** The signature of one attempt by Standard Webhooks, in the form of the header. */
    public String sign(String id, long timestamp, byte[] body) {
        return VERSION + Base64.getEncoder().encodeToString(mac(key, id + "." + timestamp + ".", body));
    }

    /**
     * The signature of the same attempt in the form that the Authon client libraries check. Its key is the text that the
     * owner sees, with the prefix and not decoded.
     */
    public String signAsText(String timestamp, byte[] body) {
        var textKey = new SecretKeySpec(text().getBytes(StandardCharsets.US_ASCII), ALGORITHM);
        return TEXT_KEY_VERSION + HexFormat.of().formatHex(mac(textKey, timestamp + ".", body));
    }

    private static byte[] mac(SecretKeySpec key, String head, byte[] body) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(head.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("every Java has HmacSHA256", failure);
        }
    }

    @Override
    public String toString() {
        return "a signing secret";
    }
}
