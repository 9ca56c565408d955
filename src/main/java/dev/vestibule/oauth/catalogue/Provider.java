package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The name of an identity provider in the API, the database and the {@link Catalogue}. */
public record Provider(@JsonValue String name) {
    /** The names with an unusual spelling. */
    private static final Map<String, String> TITLES =
            Map.of("github", "GitHub", "line", "LINE", "oidc", "OpenID Connect");

    /** The project's own issuer; further ones have names of their own. */
    public static final Provider OPEN_ID_CONNECT = new Provider("oidc");

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");
    private static final Pattern CONNECTION = Pattern.compile("org-[0-9a-f]{32}");

    /** What the names of the OpenID providers that projects name themselves begin with; no entry of a catalogue may. */
    static final String OWN_PREFIX = "oidc-";

    private static final Pattern OWN = Pattern.compile(OWN_PREFIX + "[a-z0-9][a-z0-9-]*");

    /** Empty if no provider can have this name. */
    public static Optional<Provider> find(String text) {
        return NAME.matcher(text).matches() ? Optional.of(new Provider(text)) : Optional.empty();
    }

    /** The name of an organization's connection, under which its users start their sign ins. */
    public static Provider ofConnection(UUID connection) {
        return new Provider("org-" + connection.toString().replace("-", ""));
    }

    /** The connection's id; only for one. */
    public UUID connection() {
        var hex = name.substring(name.indexOf('-') + 1);
        return new UUID(
                Long.parseUnsignedLong(hex.substring(0, 16), 16), Long.parseUnsignedLong(hex.substring(16), 16));
    }

    /** Whether it is an organization's own, and not one that the project offers to everybody. */
    public boolean isConnection() {
        return CONNECTION.matcher(name).matches();
    }

    /** Whether it is one more OpenID provider of a project, which has named it. */
    public boolean isOwn() {
        return OWN.matcher(name).matches();
    }

    /** The entry of the catalogue that says how to talk to it. */
    public Provider inCatalogue() {
        return isConnection() || isOwn() ? OPEN_ID_CONNECT : this;
    }

    /** The provider that a path names; a 404 if no provider can have this name. */
    public static Provider fromPath(String text) {
        return find(text).orElseThrow(Provider::unknown);
    }

    public static RuntimeException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no provider of this name.");
    }

    /** The name that people know it by, unless the project gives it another. */
    public String title() {
        if (isConnection()) {
            return "Single sign-on";
        }
        var word = isOwn() ? name.substring(OWN_PREFIX.length()) : name;
        return TITLES.getOrDefault(name, word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }

    @Override
    public String toString() {
        return name;
    }
}
