package dev.vestibule.mail;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Links;
import dev.vestibule.json.Fields;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The texts that a project has written for a message: plain text with the names of values in double braces. They are no
 * templates, which could do more than show a value.
 */
public final class MessageTexts {
    /** Short enough that the code of an SMS and its warning stay in the first part. */
    static final int MAX_BRAND_OF_SMS = 40;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{ ?([a-z]{1,20}) ?}}");
    private static final Pattern BRACES = Pattern.compile("\\{\\{|}}");

    /** A sentence can end there without a space, while {@link Links} takes the mark for the dot of a domain. */
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=\u3002)(?=\\P{ASCII})");

    private MessageTexts() {}

    /** The texts of a request; what is not given keeps the server's text. */
    public static Map<String, String> read(Fields fields, MessageKind kind) {
        var texts = new LinkedHashMap<String, String>();
        for (var part : MessagePart.values()) {
            if (!kind.parts().contains(part)) {
                if (fields.isGiven(part.text())) {
                    fields.reject(part.text(), "is not a part of this message");
                }
                continue;
            }
            var text = fields.optional(part.text(), given -> check(kind, part, given));
            if (text != null) {
                texts.put(part.text(), text);
            }
        }
        return texts;
    }

    private static String check(MessageKind kind, MessagePart part, String given) {
        var text = part.check(given);
        if (BRACES.matcher(withValues(text, known(kind, ""))).find()) {
            throw new InvalidValueException("must have no placeholders but "
                    + kind.placeholders().stream()
                            .map(MessageTexts::placeholder)
                            .collect(Collectors.joining(", ")));
        }
        var indispensable = kind.indispensable();
        if (part.isMain()
                && indispensable.isPresent()
                && PLACEHOLDER
                        .matcher(text)
                        .results()
                        .noneMatch(found -> indispensable.get().equals(found.group(1)))) {
            throw new InvalidValueException("must contain " + placeholder(indispensable.get()));
        }
        // a placeholder could become either part of a domain
        for (var value : List.of("a", "com")) {
            for (var sentence : SENTENCE_END.split(withValues(text, known(kind, value)), -1)) {
                Links.rejectIn(sentence);
            }
        }
        if (part == MessagePart.TEXT) {
            requireRoomForBrand(text);
        }
        return text;
    }

    /** Refuses a text of an SMS that a long brand would make longer than an SMS may be. */
    private static void requireRoomForBrand(String text) {
        var longest = withValues(text, Map.of("brand", "x".repeat(MAX_BRAND_OF_SMS), "code", "000000"));
        var max = MessagePart.TEXT.maxCharacters();
        if (longest.codePointCount(0, longest.length()) > max) {
            throw new InvalidValueException(
                    "must have at most " + max + " characters, with " + MAX_BRAND_OF_SMS + " for each {{ brand }}");
        }
    }

    private static String placeholder(String name) {
        return "{{ " + name + " }}";
    }

    private static Map<String, Object> known(MessageKind kind, String value) {
        return kind.placeholders().stream().collect(Collectors.toMap(name -> name, name -> value));
    }

    /**
     * The text as a message shows it. Whatever the values are, it has neither links nor characters that a name could
     * not have, except for its line breaks.
     */
    static String fill(String text, Map<String, ?> values) {
        return withValues(text, values)
                .lines()
                .map(line -> Arrays.stream(SENTENCE_END.split(line, -1))
                        .map(SafeText::name)
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("\n"));
    }

    /** Values are not searched for placeholders. */
    private static String withValues(String text, Map<String, ?> values) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        values.containsKey(found.group(1))
                                ? String.valueOf(values.get(found.group(1)))
                                : found.group()));
    }
}
