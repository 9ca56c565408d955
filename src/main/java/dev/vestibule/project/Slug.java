package dev.vestibule.project;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.UnicodeText;
import java.util.UUID;
import java.util.regex.Pattern;
import net.gcardone.junidecode.Junidecode;

/** A project's name in a form for URLs: ASCII, lower case, words joined by hyphens. */
public final class Slug {
    private static final int MAX_LENGTH = 60;
    private static final int SUFFIX_LENGTH = 6;
    private static final Pattern CHOSEN = Pattern.compile("[a-z0-9]++(?:-[a-z0-9]++)*+");
    private static final Pattern NOT_A_WORD = Pattern.compile("[^a-z0-9]+");
    private static final Pattern OUTER_HYPHENS = Pattern.compile("^-++|(?<!-)-++$");

    private Slug() {}

    /** Transliterates letters that are not ASCII, in any script. */
    public static String of(String name) {
        return of(name, "project");
    }

    /** A slug for a name; {@code otherwise} is the word to use for a name that has no letters. */
    public static String of(String name, String otherwise) {
        var ascii = UnicodeText.lowerAscii(Junidecode.unidecode(name));
        var hyphenated = NOT_A_WORD.matcher(ascii).replaceAll("-");
        var cut = hyphenated.length() > MAX_LENGTH ? hyphenated.substring(0, MAX_LENGTH) : hyphenated;
        var slug = OUTER_HYPHENS.matcher(cut).replaceAll("");
        return slug.isEmpty() ? otherwise : slug;
    }

    /** The rule for one that a person chooses. */
    public static String check(String text) {
        if (text.length() > MAX_LENGTH || !CHOSEN.matcher(text).matches()) {
            throw new InvalidValueException("must have up to 60 of a-z, 0-9 and single hyphens between them");
        }
        return text;
    }

    /** Adds a random suffix, for a slug that is taken. */
    public static String suffixed(String slug) {
        var random = UUID.randomUUID().toString();
        return slug + "-" + random.substring(0, SUFFIX_LENGTH);
    }
}
