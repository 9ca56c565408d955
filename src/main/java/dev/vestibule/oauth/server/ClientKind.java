package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;

/** What a client is, from which follows how it gets tokens. */
public enum ClientKind {
    /** An application with a server, which keeps a secret. */
    WEB,
    /** A single-page application, which can keep none. */
    SPA,
    /** An application on a phone, a computer or the command line, which can keep none. */
    NATIVE,
    /** A program that acts on its own. */
    SERVICE,
    /** A resource server, which asks about the tokens that it receives. */
    API,
    /** A client whose id is the URL of its metadata document; nobody registers it. */
    DOCUMENT;

    boolean isPublic() {
        return this == SPA || this == NATIVE || this == DOCUMENT;
    }

    /** Whether people sign in to it. */
    boolean usesCodes() {
        return this != SERVICE && this != API;
    }

    /** Whether its redirect URI may be on any port of a loopback address (RFC 8252, 7.3). */
    boolean usesLoopback() {
        return this == NATIVE || this == DOCUMENT;
    }

    @JsonValue
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads a stored text. */
    static ClientKind of(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.text().equals(text))
                .findFirst()
                .orElseThrow();
    }

    /** A field rule. */
    static ClientKind registrable(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind != DOCUMENT && kind.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException("must be web, spa, native, service or api"));
    }
}
