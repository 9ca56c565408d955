package dev.vestibule.session;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A few words for a {@code User-Agent}, by which people recognise a browser of their own; anyone can claim any. */
public final class DeviceName {
    private static final int MAX_OTHER = 60;

    /** The first that occurs counts: most browsers also name those that they imitate. */
    private static final Map<String, String> BROWSERS = named(
            "Edg", "Edge",
            "OPR/", "Opera",
            "SamsungBrowser/", "Samsung Internet",
            "Firefox/", "Firefox",
            "FxiOS/", "Firefox",
            "Chrome/", "Chrome",
            "CriOS/", "Chrome",
            "Safari/", "Safari");

    private static final Map<String, String> SYSTEMS = named(
            "iPhone", "iPhone",
            "iPad", "iPad",
            "Android", "Android",
            "Windows", "Windows",
            "Macintosh", "macOS",
            "CrOS", "ChromeOS",
            "Linux", "Linux");

    private DeviceName() {}

    public static String of(String userAgent) {
        return known(userAgent).orElseGet(() -> shortened(userAgent));
    }

    /** Only the browser and the system, if this knows them: no word of it is the client's own. */
    public static Optional<String> known(String userAgent) {
        var known = Stream.of(BROWSERS, SYSTEMS)
                .flatMap(names -> first(names, userAgent).stream())
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? Optional.empty() : Optional.of(known);
    }

    private static String shortened(String userAgent) {
        return userAgent.codePointCount(0, userAgent.length()) <= MAX_OTHER
                ? userAgent
                : userAgent.substring(0, userAgent.offsetByCodePoints(0, MAX_OTHER)) + "\u2026";
    }

    private static Optional<String> first(Map<String, String> names, String userAgent) {
        return names.entrySet().stream()
                .filter(name -> userAgent.contains(name.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Map<String, String> named(String... signsAndNames) {
        var names = new LinkedHashMap<String, String>();
        var all = Arrays.asList(signsAndNames).iterator();
        while (all.hasNext()) {
            names.put(all.next(), all.next());
        }
        return names;
    }
}
