package dev.vestibule.user;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for the fields that users fill in. */
public final class UserFields {
    private static final int MAX_EMAIL = 254;
    private static final int MAX_LOCAL_PART = 64;
    private static final int MAX_DISPLAY_NAME = 100;
    private static final int MIN_PASSWORD = 8;
    private static final int MAX_PASSWORD = 128;
    private static final int MAX_PRESENTED_PASSWORD = 1024;
    private static final int MAX_EXTERNAL_ID = 255;
    private static final int MAX_METADATA = 16_384;

    /**
     * Digits of any script with the separators that people write between them; pasted numbers have invisible marks
     * around them.
     */
    private static final Pattern TYPED_PHONE =
            Pattern.compile("[+\uFF0B\\p{Nd}\\p{Zs}\\p{Cf}()./\\-\u2010-\u2015\u2212]{2,60}");

    private static final String ATOM = "[^\\s\"(),:;<>@\\[\\\\\\].]+";
    private static final Pattern ATOMS = Pattern.compile(ATOM + "(?:\\." + ATOM + ")*+");
    private static final Pattern QUOTED = Pattern.compile("^\"((?:[^\"\\\\]|\\\\.)++)\"");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final Pattern TO_ESCAPE = Pattern.compile("[\"\\\\]");

    private UserFields() {}

    /**
     * The canonical form of an email address: trimmed, lower-cased, composed (NFC, RFC 6532), quoted if necessary, with
     * the domain in the form of {@link EmailDomain}. Accepts every address that mail on the internet can be delivered
     * to.
     */
    public static String email(String text) {
        var given = Text.printable(text.strip());
        if (given.length() > MAX_EMAIL || given.codePoints().anyMatch(UserFields::isInvisible)) {
            throw notAnEmail();
        }
        var lower = UnicodeText.nfc(UnicodeText.lower(given));
        var at = lower.lastIndexOf('@');
        if (at < 1 || at > MAX_LOCAL_PART || lower.length() > MAX_EMAIL) {
            throw notAnEmail();
        }
        var domain = EmailDomain.canonical(lower.substring(at + 1)).orElseThrow(UserFields::notAnEmail);
        return localPart(lower.substring(0, at)) + "@" + domain;
    }

    /** RFC 5321 and 6531: atoms with dots, or a quoted string, which stands for its content. */
    private static String localPart(String text) {
        if (ATOMS.matcher(text).matches()) {
            return text;
        }
        var quoted = QUOTED.matcher(text);
        if (!quoted.matches()) {
            throw notAnEmail();
        }
        var content = ESCAPED.matcher(quoted.group(1)).replaceAll("$1");
        return ATOMS.matcher(content).matches()
                ? content
                : "\"" + TO_ESCAPE.matcher(content).replaceAll("\\\\$0") + "\"";
    }

    private static InvalidValueException notAnEmail() {
        return new InvalidValueException("must be an email address of at most 254 characters");
    }

    /** Spaces of any script and format characters: they would let two addresses look like one. */
    private static boolean isInvisible(int character) {
        return (character != ' ' && Character.isSpaceChar(character))
                || Character.getType(character) == Character.FORMAT;
    }

    /** A new password: NFKC-normalised, with any characters (NIST SP 800-63B, 3.1.1.2). */
    public static String newPassword(String text) {
        var password = normalised(text);
        var length = password.codePointCount(0, password.length());
        if (length < MIN_PASSWORD || length > MAX_PASSWORD) {
            throw new InvalidValueException("must have 8 to 128 characters");
        }
        return password;
    }

    /**
     * A password to check: the rules for new ones do not apply, but its length is limited, so that the check stays
     * cheap.
     */
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
        return UnicodeText.nfkc(Text.wellFormed(text));
    }

    public static String displayName(String text) {
        return Text.line(text, MAX_DISPLAY_NAME);
    }

    /**
     * Reads a phone number as people type it, and returns it in E.164. A number without a country code belongs to the
     * given country, and is refused if none is given. Only the length decides whether a number can exist: countries
     * open new ranges faster than any list is updated.
     */
    public static FieldRule<String> phone(@Nullable String defaultCountry) {
        return text -> phone(text, defaultCountry);
    }

    private static String phone(String text, @Nullable String defaultCountry) {
        if (TYPED_PHONE.matcher(text).matches()) {
            var numbers = PhoneNumberUtil.getInstance();
            try {
                var number = numbers.parse(text, defaultCountry);
                if (numbers.isPossibleNumber(number)) {
                    return numbers.format(number, PhoneNumberFormat.E164);
                }
            } catch (NumberParseException invalid) {
                // refused below
            }
        }
        throw new InvalidValueException("must be a phone number with its country code, such as +44 20 7183 8750");
    }

    /** The application's own id of a user, exactly as it writes it: nothing is stripped or case-folded. */
    public static String externalId(String text) {
        if (!text.equals(text.strip())) {
            throw new InvalidValueException("must not begin or end with white space");
        }
        if (text.equals(".") || text.equals("..")) { // no path can contain it: clients and servers remove it
            throw new InvalidValueException("must not be . or ..");
        }
        return Text.line(text, MAX_EXTERNAL_ID);
    }

    /** Data of the application about a user, public or private: any JSON object within the size limit. */
    public static FieldType<Map<String, Object>> metadata() {
        return FieldType.object(MAX_METADATA);
    }
}
