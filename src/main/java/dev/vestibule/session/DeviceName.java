package dev.vestibule.session;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A short name for a {@code User-Agent}, so that people recognise their own browser; a client can claim any. */
public final class DeviceName {
    private static final int MAX_OTHER = 60;

    /** The first match counts: most browsers also name those that they imitate. */
    private static final Map<String, String> BROWSERS = namesBySign(
            "Edg", "Edge",
            "OPR/", "Opera",
            "SamsungBrowser/", "Samsung Internet",
            "Firefox/", "Firefox",
            "FxiOS/", "Firefox",
            "Chrome/", "Chrome",
            "CriOS/", "Chrome",
            "Safari/", "Safari");

    private static final Map<String, String> SYSTEMS = namesBySign(
            "iPhone", "iPhone",
            "iPad", "iPad",
            "Android", "Android",
            "Windows", "Windows",
            "Macintosh", "macOS",
            "CrOS", "ChromeOS",
            "Linux", "Linux");

    private DeviceName() {}

    public static String of(String userAgent) {
        return known(userAgent).orElseGet(() -> shorten(userAgent));
    }

    /** Only the browser and the system, if they are known: no text that the client chose. */
    public static Optional<String> known(String userAgent) {
        var known = Stream.of(BROWSERS, SYSTEMS)
                .flatMap(names -> firstMatch(names, userAgent).stream())
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? Optional.empty() : Optional.of(known);
    }

    private static String shorten(String userAgent) {
        return userAgent.codePointCount(0, userAgent.length()) <= MAX_OTHER
                ? userAgent
                : userAgent.substring(0, userAgent.offsetByCodePoints(0, MAX_OTHER)) + "\u2026";
    }

    private static Optional<String> firstMatch(Map<String, String> names, String userAgent) {
        return names.entrySet().stream()
                .filter(name -> userAgent.contains(name.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Map<String, String> namesBySign(String... signsAndNames) {
        var names = new LinkedHashMap<String, String>();
        var all = Arrays.asList(signsAndNames).iterator();
        while (all.hasNext()) {
            names.put(all.next(), all.next());
        }
        return names;
    }
}
