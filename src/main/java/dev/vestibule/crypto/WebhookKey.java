package dev.vestibule.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key that signs requests by Standard Webhooks 1.0, so that any of its published libraries verifies them. */
public final class WebhookKey {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final String VERSION = "v1,";
    private static final String TEXT_KEY_VERSION = "v1=";

    private final SecretKeySpec key;

    public WebhookKey(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Reads the format that its owner sees; callers have checked it. */
    public static WebhookKey ofText(String text) {
        return new WebhookKey(Base64.getDecoder().decode(text.substring(PREFIX.length())));
    }

    public byte[] bytes() {
        return key.getEncoded();
    }

    /** The format that its owner sees. */
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key.getEncoded());
    }

    /** The signature of one request, in the format of the header {@code webhook-signature}. */
    public String sign(String id, long timestamp, byte[] body) {
        return VERSION + Base64.getEncoder().encodeToString(mac(key, id + "." + timestamp + ".", body));
    }

    /** A signature that uses the text that the owner sees as its key, with the prefix and not decoded. */
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
        return "a webhook key";
    }
}
