package dev.vestibule.mail;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The value of a header in any script (RFC 2047). The mail client's own encoder takes characters beyond the basic plane
 * apart, emoji among them; and as every name is encoded, none can be taken for the header's syntax.
 */
final class EncodedWords {
    private static final int MAX_BYTES = 45; // 60 characters of base64 and 12 around them: 75 at the most

    private EncodedWords() {}

    static String of(String text) {
        List<String> words = new ArrayList<>();
        var word = new StringBuilder();
        var bytes = 0;
        for (var character : text.codePoints().toArray()) {
            var next = Character.toString(character);
            var length = next.getBytes(StandardCharsets.UTF_8).length;
            if (bytes + length > MAX_BYTES) {
                words.add(encode(word.toString()));
                word.setLength(0);
                bytes = 0;
            }
            word.append(next);
            bytes += length;
        }
        words.add(encode(word.toString()));
        return String.join("\r\n ", words);
    }

    private static String encode(String word) {
        return "=?UTF-8?B?" + Base64.getEncoder().encodeToString(word.getBytes(StandardCharsets.UTF_8)) + "?=";
    }
}
