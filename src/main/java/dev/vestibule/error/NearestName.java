package dev.vestibule.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Guesses which known name an unknown one was meant to be, for the errors that ask "did you mean". */
public final class NearestName {
    /** No known name is nearly this long, and a comparison costs the product of both lengths. */
    private static final int MAX_LENGTH = 80;

    private NearestName() {}

    /** The known name that differs least, ignoring case; empty if all differ in more than about a third. */
    public static Optional<String> of(String unknown, Collection<String> known) {
        if (unknown.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        var limit = 1 + unknown.length() / 3;
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(unknown, name)))
                .filter(nearest -> distance(unknown, nearest) <= limit);
    }

    /**
     * The part that looks like a name; the rest is cut. In YAML, {@code secret:x} without a space is one name that
     * includes the value.
     */
    public static String printable(String unknown) {
        var clean = unknown.replaceAll("^$|[^A-Za-z0-9_.-].*", "…");
        return clean.length() > MAX_LENGTH ? clean.substring(0, MAX_LENGTH) + "…" : clean;
    }

    private static int distance(String one, String other) {
        return LevenshteinDistance.getDefaultInstance()
                .apply(one.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
    }
}
