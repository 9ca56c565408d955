package dev.vestibule.mail;

import dev.vestibule.json.Json;
import dev.vestibule.session.Device;
import dev.vestibule.session.DeviceName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a mail about a fact tells the user in addition to the fact: when it happened, and from which device. */
public final class Notice {
    private static final String AT = "at";
    private static final String IP_ADDRESS = "ipAddress";
    private static final String COUNTRY = "country";
    private static final String DEVICE = "device";
    private static final String PROVIDER = "provider";
    private static final String NEW_EMAIL = "newEmail";
    private static final String TOKEN = "token";
    private static final String LINK = "link";
    private static final String DAYS = "days";

    private final Map<String, String> details;

    private Notice(Map<String, String> details) {
        this.details = Map.copyOf(details);
    }

    /**
     * The notice of a change by one request. From the user agent, it uses only the name of a known browser and system:
     * somebody other than the account's owner may have written it for the owner to read.
     */
    public static Notice of(Instant at, Device device) {
        var details = new HashMap<String, String>();
        details.put(AT, at.toString());
        put(details, IP_ADDRESS, device.ipAddress());
        put(details, COUNTRY, device.country());
        var userAgent = device.userAgent();
        put(
                details,
                DEVICE,
                userAgent == null ? null : DeviceName.known(userAgent).orElse(null));
        return new Notice(details);
    }

    /** Adds the display name of the linked or unlinked provider. */
    public Notice withProvider(String provider) {
        return with(Map.of(PROVIDER, provider));
    }

    /** Adds the new address of the account. */
    public Notice withNewEmail(String email) {
        return with(Map.of(NEW_EMAIL, email));
    }

    /**
     * Adds a token that undoes the change for the given number of days, and the link to the page for it, if there is
     * one.
     */
    public Notice withUndo(String token, int days, @Nullable String link) {
        var undo = new HashMap<>(Map.of(TOKEN, token, DAYS, Integer.toString(days)));
        put(undo, LINK, link);
        return with(undo);
    }

    private Notice with(Map<String, String> more) {
        var all = new HashMap<>(details);
        all.putAll(more);
        return new Notice(all);
    }

    private static void put(Map<String, String> details, String name, @Nullable String value) {
        if (value != null) {
            details.put(name, value);
        }
    }

    Instant at() {
        return Instant.parse(detail(AT));
    }

    Optional<String> ipAddress() {
        return Optional.ofNullable(details.get(IP_ADDRESS));
    }

    Optional<String> country() {
        return Optional.ofNullable(details.get(COUNTRY));
    }

    Optional<String> device() {
        return Optional.ofNullable(details.get(DEVICE));
    }

    /** Empty if the kind has none, like all details below. */
    String provider() {
        return detail(PROVIDER);
    }

    String newEmail() {
        return detail(NEW_EMAIL);
    }

    String token() {
        return detail(TOKEN);
    }

    String link() {
        return detail(LINK);
    }

    String days() {
        return detail(DAYS);
    }

    private String detail(String name) {
        return details.getOrDefault(name, "");
    }

    /** For the outbox. */
    byte[] encode() {
        return Json.encode(details).getBytes();
    }

    static Notice decode(byte[] details) {
        var read = new HashMap<String, String>();
        Json.storedObject(new String(details, StandardCharsets.UTF_8))
                .forEach((name, value) -> read.put(name, String.valueOf(value)));
        return new Notice(read);
    }

    /** Redacted, since it may have a token. */
    @Override
    public String toString() {
        return "Notice";
    }
}
