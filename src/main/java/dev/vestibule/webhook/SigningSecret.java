package dev.vestibule.webhook;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.crypto.WebhookKey;
import dev.vestibule.project.ProjectId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The secret that deliveries are signed with (Standard Webhooks 1.0). It is shown once and sealed at rest. */
public final class SigningSecret {
    private static final int BYTES = 32;

    private final WebhookKey key;

    private SigningSecret(byte[] bytes) {
        this.key = new WebhookKey(bytes);
    }

    public static SigningSecret generate() {
        return new SigningSecret(RandomSecrets.bytes(BYTES));
    }

    /** Opens a secret that {@link #seal} sealed for the same webhook. */
    public static SigningSecret open(Sealer sealer, ProjectId project, UUID webhook, byte[] sealed) {
        return new SigningSecret(sealer.open(sealed, context(project, webhook)));
    }

    public byte[] seal(Sealer sealer, ProjectId project, UUID webhook) {
        return sealer.seal(key.bytes(), context(project, webhook));
    }

    static byte[] context(ProjectId project, UUID webhook) {
        return ("webhook secret " + project + " " + webhook).getBytes(StandardCharsets.UTF_8);
    }

    /** The text that its owner sees. */
    public String text() {
        return key.text();
    }

    /** The Standard Webhooks signature of one attempt, as the header carries it. */
    public String sign(String id, long timestamp, byte[] body) {
        return key.sign(id, timestamp, body);
    }

    /**
     * The signature of the same attempt as the Authon client libraries check it. Its key is the text that the owner
     * sees, with the prefix and not decoded.
     */
    public String signAsText(String timestamp, byte[] body) {
        return key.signAsText(timestamp, body);
    }

    @Override
    public String toString() {
        return "a signing secret";
    }
}
