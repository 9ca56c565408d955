package dev.vestibule.mail;

import dev.vestibule.project.Language;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The labelled lines of a notice: what happened, when, and from where. */
final class NoticeFacts {
    private NoticeFacts() {}

    /** Takes a function that returns the phrase of a key, such as {@code when}. */
    static List<Map<String, String>> of(Notice notice, Language language, UnaryOperator<String> phrase) {
        var locale = language.locale();
        var facts = new ArrayList<Map<String, String>>();
        add(facts, phrase.apply("provider"), SafeText.name(notice.provider()));
        add(facts, phrase.apply("new_email"), notice.newEmail());
        add(facts, phrase.apply("when"), when(notice, phrase.apply("date"), locale));
        add(facts, phrase.apply("device"), notice.device().orElseGet(() -> phrase.apply("unknown_device")));
        add(facts, phrase.apply("place"), place(notice, locale));
        return facts;
    }

    private static void add(List<Map<String, String>> facts, String label, String value) {
        if (!value.isEmpty()) {
            facts.add(Map.of("label", label, "value", SafeText.singleLine(value)));
        }
    }

    /** In UTC: nobody knows where the recipient reads it. */
    private static String when(Notice notice, String pattern, Locale locale) {
        return DateTimeFormatter.ofPattern(pattern, locale)
                .withZone(ZoneOffset.UTC)
                .format(notice.at());
    }

    private static String place(Notice notice, Locale locale) {
        var country = notice.country().map(code -> new Locale("", code).getDisplayCountry(locale));
        return Stream.of(notice.ipAddress(), country)
                .flatMap(part -> part.stream())
                .collect(Collectors.joining(", "));
    }
}
