package dev.vestibule.page.hosted;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tokens that prove that a form was filled in on our page, in this browser: keyed hashes of the browser's cookie. */
final class FormTokens {
    private static final int COOKIE_BYTES = 24;
    private static final Pattern COOKIE = Pattern.compile("[A-Za-z0-9_-]{32}");

    private final KeyedHash hash;

    FormTokens(MasterKeys masterKeys) {
        this.hash = new KeyedHash(masterKeys, "hosted page forms");
    }

    /** The random text that identifies a browser for forms, and the token in its forms. */
    record Proof(String cookie, String token) {
        boolean matches(String given) {
            return MessageDigest.isEqual(
                    token.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
        }

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

    /** For forms about one account, which another tab of the same browser may have left since. */
    Proof ofSession(ProjectId project, Proof browser, SessionId session) {
        return new Proof(
                browser.cookie(), SignedFields.base64(hash.hash(message(project, browser.cookie() + "." + session))));
    }

    private static byte[] message(ProjectId project, String holder) {
        return (project + "." + holder).getBytes(StandardCharsets.US_ASCII);
    }
}
