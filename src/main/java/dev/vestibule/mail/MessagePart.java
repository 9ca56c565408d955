package dev.vestibule.mail;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import java.util.Locale;

/** A text of a mail or SMS, under the name that its phrases have. */
public enum MessagePart {
    SUBJECT(true, 150),
    /** The heading. */
    TITLE(true, 150),
    /** What happened, before the code or the link. */
    INTRO(false, 1000),
    /** What to do if somebody else caused the mail. */
    IGNORE(false, 1000),
    /** What to do if somebody else caused what a notice tells. */
    ACTION(false, 1000),
    /** All that an SMS says; carriers charge for each 160 characters, or 70 outside of the Latin alphabet. */
    TEXT(true, 300);

    private final boolean isLine;
    private final int maxCharacters;

    MessagePart(boolean isLine, int maxCharacters) {
        this.isLine = isLine;
        this.maxCharacters = maxCharacters;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    int maxCharacters() {
        return maxCharacters;
    }

    boolean isLine() {
        return isLine;
    }

    /** Whether it is the one that says what the message is about. */
    boolean isMain() {
        return this == INTRO || this == TEXT;
    }

    /** A text within the limits; only one of several lines can have line breaks. */
    String check(String text) {
        if (isLine) {
            return Text.line(text, maxCharacters);
        }
        var lines = text.strip().replace("\r\n", "\n");
        var length = lines.codePointCount(0, lines.length());
        if (length < 1 || length > maxCharacters) {
            throw new InvalidValueException("must have 1 to " + maxCharacters + " characters");
        }
        Text.printable(lines.replace('\n', ' '));
        return lines;
    }
}
