package dev.vestibule.page.hosted;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.project.ProjectId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tokens that prove that a form was filled in on our page, in this browser: keyed hashes of the browser's cookie. */
final class FormTokens {
    private static final int COOKIE_BYTES = 24;
    private static final Pattern COOKIE = Pattern.compile("[A-Za-z0-9_-]{32}");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{43}");

    private final KeyedHash hash;

    FormTokens(MasterKeys masterKeys) {
        this.hash = new KeyedHash(masterKeys, "hosted page forms");
    }

    /** The random text that identifies a browser for forms, and the token in its forms. */
    record Proof(String cookie, String token) {
        @Override
        public String toString() {
            return "Proof";
        }
    }

    /** For the browser that has this cookie; with a new one if it has none. */
    Proof of(ProjectId project, @Nullable String given) {
        var cookie = given != null && COOKIE.matcher(given).matches()
                ? given
                : SignedFields.base64(RandomSecrets.bytes(COOKIE_BYTES));
        return new Proof(cookie, SignedFields.base64(hash.hash(message(project, cookie))));
    }

    boolean matches(ProjectId project, String cookie, String token) {
        return TOKEN.matcher(token).matches()
                && hash.matches(message(project, cookie), Base64.getUrlDecoder().decode(token));
    }

    private static byte[] message(ProjectId project, String cookie) {
        return (project + "." + cookie).getBytes(StandardCharsets.US_ASCII);
    }
}
