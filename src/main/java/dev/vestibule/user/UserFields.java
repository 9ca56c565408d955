package dev.vestibule.user;

import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Text;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The rules of the fields that users fill in. */
public final class UserFields {
    private static final int MAX_EMAIL = 254;
    private static final int MAX_LOCAL_PART = 64;
    private static final int MAX_DISPLAY_NAME = 100;
    private static final int MIN_PASSWORD = 8;
    private static final int MAX_PASSWORD = 128;
    private static final int MAX_PRESENTED_PASSWORD = 1024;
    private static final int MAX_METADATA = 16_384;

    /** An international number (ITU-T E.164): the plus sign, the country code, 15 digits at most. */
    private static final Pattern PHONE = Pattern.compile("\\+[1-9][0-9]{1,14}");

    /** A label of a domain name, internationalized ones too (RFC 5890). */
    private static final String LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";

    /** The domain of a lower-cased address: a name, or an address literal (RFC 5321, 4.1.3). */
    private static final Pattern DOMAIN =
            Pattern.compile(LABEL + "(?:\\." + LABEL + ")*|\\[(?:\\d{1,3}(?:\\.\\d{1,3}){3}|ipv6:[0-9a-f:.]+)]");
    /** RFC 5321 and 6531: atoms with dots, or a quoted string. */
    private static final Pattern LOCAL_PART = Pattern.compile(
            "[^\\s\"(),:;<>@\\[\\\\\\].]+(?:\\.[^\\s\"(),:;<>@\\[\\\\\\].]+)*|\"(?:[^\"\\\\]|\\\\.)+\"");

    private UserFields() {}

    /** Trimmed and lower-cased; takes every address that mail can be delivered to. */
    public static String email(String text) {
        var email = Text.printable(text.strip()).toLowerCase(Locale.ROOT);
        var at = email.lastIndexOf('@');
        if (at < 1
                || email.codePoints().anyMatch(UserFields::isInvisible)
                || at > MAX_LOCAL_PART
                || email.length() > MAX_EMAIL
                || !LOCAL_PART.matcher(email.substring(0, at)).matches()
                || !DOMAIN.matcher(email.substring(at + 1)).matches()) {
            throw new InvalidValueException("must be an email address of at most 254 characters");
        }
        return email;
    }

    /** Spaces of any script and format characters: they would let two addresses look like one. */
    private static boolean isInvisible(int character) {
        return (character != ' ' && Character.isSpaceChar(character))
                || Character.getType(character) == Character.FORMAT;
    }

    /** The form of a password to be set: NFKC-normalised, any character (NIST SP 800-63B, 3.1.1.2). */
    public static String newPassword(String text) {
        var password = normalised(text);
        var length = password.codePointCount(0, password.length());
        if (length < MIN_PASSWORD || length > MAX_PASSWORD) {
            throw new InvalidValueException("must have 8 to 128 characters");
        }
        return password;
    }

    /** A password to be checked: without the rules for new ones, but bounded, so that the check stays cheap. */
    public static SubmittedPassword submittedPassword(String text) {
        var password = new SubmittedPassword(text, normalised(text));
        var length = password.normalised().length();
        if (length < 1 || length > MAX_PRESENTED_PASSWORD) {
            throw new InvalidValueException("must have 1 to 1024 characters");
        }
        return password;
    }

    /** Checks the length first: normalising many combining marks takes quadratic time. */
    private static String normalised(String text) {
        if (text.length() > MAX_PRESENTED_PASSWORD) {
            throw new InvalidValueException("must have 8 to 128 characters");
        }
        return Normalizer.normalize(Text.wellFormed(text), Normalizer.Form.NFKC);
    }

    public static String displayName(String text) {
        return Text.line(text, MAX_DISPLAY_NAME);
    }

    public static String phone(String text) {
        if (!PHONE.matcher(text).matches()) {
            throw new InvalidValueException("must be a phone number in E.164 form, such as +14155550123");
        }
        return text;
    }

    /** Data of the application about a user: any JSON object within the size limit. */
    public static FieldType<Map<String, Object>> publicMetadata() {
        return FieldType.object(MAX_METADATA);
    }
}
