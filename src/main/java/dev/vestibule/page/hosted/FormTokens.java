package dev.vestibule.page.hosted;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.project.ProjectId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Tokens that prove that a form was filled in on our page, in this browser: keyed hashes of the browser's cookie. */
final class FormTokens {
    private static final int COOKIE_BYTES = 24;
    private static final Pattern COOKIE = Pattern.compile("[A-Za-z0-9_-]{32}");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{43}");

    private final KeyedHash hash;

    FormTokens(MasterKeys masterKeys) {
        this.hash = new KeyedHash(masterKeys, "hosted page forms");
    }

    String newCookie() {
        return SignedFields.base64(RandomSecrets.bytes(COOKIE_BYTES));
    }

    boolean isCookie(String text) {
        return COOKIE.matcher(text).matches();
    }

    String of(ProjectId project, String cookie) {
        return SignedFields.base64(hash.hash(message(project, cookie)));
    }

    boolean matches(ProjectId project, String cookie, String token) {
        return TOKEN.matcher(token).matches()
                && hash.matches(message(project, cookie), Base64.getUrlDecoder().decode(token));
    }

    private static byte[] message(ProjectId project, String cookie) {
        return (project + "." + cookie).getBytes(StandardCharsets.US_ASCII);
    }
}
