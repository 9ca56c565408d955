package dev.vestibule.json;

import dev.vestibule.error.InvalidValueException;
import java.text.Normalizer;
import java.util.Locale;

/**
 * Capital and small letters of text from clients. The JDK maps letters of all scripts in quadratic time at worst: it copies
 * the whole text for each letter that becomes longer, which U+0130 does, and so does normalising many marks. So nothing else
 * here maps such a text as a whole: long ones are compared by ASCII alone, and short ones are measured first.
 */
public final class Letters {
    /** The longest text that is mapped beyond ASCII: a name in NFKC, of which a character may become 18. */
    public static final int MAX_LENGTH = 2048;

    private static final int TO_SMALL = 'a' - 'A';

    private Letters() {}

    /** Small ASCII letters instead of capital ones, everything else as it is: one pass, however long the text is. */
    public static String lowerAscii(String text) {
        var letters = text.toCharArray();
        for (int i = 0; i < letters.length; i++) {
            if (letters[i] >= 'A' && letters[i] <= 'Z') {
                letters[i] = (char) (letters[i] + TO_SMALL);
            }
        }
        return new String(letters);
    }

    /** Small letters of all scripts, for a text of at most {@link #MAX_LENGTH}. */
    public static String lower(String text) {
        return bounded(text).toLowerCase(Locale.ROOT);
    }

    /** NFKC, for a text of at most {@link #MAX_LENGTH}. */
    public static String compatible(String text) {
        return Normalizer.normalize(bounded(text), Normalizer.Form.NFKC);
    }

    /** NFC, for a text of at most {@link #MAX_LENGTH}. */
    public static String composed(String text) {
        return Normalizer.normalize(bounded(text), Normalizer.Form.NFC);
    }

    private static String bounded(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidValueException("must have at most " + MAX_LENGTH + " characters");
        }
        return text;
    }
}
