package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;
import java.text.Normalizer;
import java.util.Locale;

/**
 * Lower case and Unicode normalization of text from clients. In the worst case the JDK takes quadratic time for both:
 * its case mapping copies the whole text for each letter that becomes longer, as U+0130 does, and its normalization is
 * as slow for many combining marks. So no other code maps a whole text from a client: long texts are mapped in ASCII
 * only, and short ones have their length checked first.
 */
public final class UnicodeText {
    /**
     * The longest text that is mapped beyond ASCII. It has room for a name in NFKC, where one character can become 18.
     */
    public static final int MAX_LENGTH = 2048;

    private static final int TO_LOWER_CASE = 'a' - 'A';

    private UnicodeText() {}

    /** Maps ASCII letters to lower case and leaves everything else unchanged, in one pass over a text of any length. */
    public static String lowerAscii(String text) {
        var letters = text.toCharArray();
        for (int i = 0; i < letters.length; i++) {
            if (letters[i] >= 'A' && letters[i] <= 'Z') {
                letters[i] = (char) (letters[i] + TO_LOWER_CASE);
            }
        }
        return new String(letters);
    }

    /** Maps letters of all scripts to lower case, in a text of at most {@link #MAX_LENGTH}. */
    public static String lower(String text) {
        return bounded(text).toLowerCase(Locale.ROOT);
    }

    /** NFKC, for a text of at most {@link #MAX_LENGTH}. */
    public static String nfkc(String text) {
        return Normalizer.normalize(bounded(text), Normalizer.Form.NFKC);
    }

    /** NFC, for a text of at most {@link #MAX_LENGTH}. */
    public static String nfc(String text) {
        return Normalizer.normalize(bounded(text), Normalizer.Form.NFC);
    }

    private static String bounded(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidValueException("must have at most " + MAX_LENGTH + " characters");
        }
        return text;
    }
}
