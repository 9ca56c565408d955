package dev.vestibule.http;

import dev.vestibule.crypto.Sha256;
import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** Strong entity tags (RFC 9110, 8.8.3), and the check of {@code If-None-Match} against one (13.1.2). */
final class EntityTag {
    private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[\\x21\\x23-\\x7E\\x80-\\xFF]*\")");

    private EntityTag() {}

    static String of(Buffer body) {
        return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(body.getBytes())) + '"';
    }

    /** Uses the weak comparison, as {@code If-None-Match} requires: a proxy may have weakened the tag. */
    static boolean isAmong(List<String> ifNoneMatch, String tag) {
        return ifNoneMatch.stream()
                .anyMatch(list -> list.strip().equals("*")
                        || TAG.matcher(list)
                                .results()
                                .anyMatch(found -> found.group(1).equals(tag)));
    }
}
