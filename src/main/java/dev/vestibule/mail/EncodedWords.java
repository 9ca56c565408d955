package dev.vestibule.mail;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Encodes header values in any script (RFC 2047). The encoder of the mail client splits characters outside the basic
 * plane, such as emoji. It encodes all values, so that none can be read as header syntax.
 */
final class EncodedWords {
    private static final int MAX_BYTES = 45; // 60 characters of base64 and 12 around them are below the limit of 75

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
