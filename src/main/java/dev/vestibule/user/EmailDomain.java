package dev.vestibule.user;

import dev.vestibule.json.UnicodeText;
import java.net.IDN;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The domain of an email address, in the one form that the server stores, compares and mails to: internationalized
 * labels in their own script if both generations of IDNA agree on them, and otherwise in ASCII ({@code xn--…}). The JDK
 * implements only the older one (RFC 3490), which maps {@code straße.de} to {@code strasse.de}, the domain of somebody
 * else.
 */
public final class EmailDomain {
    private static final int MAX_LENGTH = 253;
    private static final String LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
    private static final Pattern ONE_LABEL = Pattern.compile(LABEL);

    /** With a dot, and not an IPv4 address: a name without a dot is a machine next to the mail server. */
    private static final Pattern NAME = Pattern.compile("(?:" + LABEL + "\\.)++(?![0-9]+$)" + LABEL);

    private EmailDomain() {}

    /**
     * The canonical form of a lower-case domain; empty if mail cannot be delivered to it, or could be delivered to
     * another domain instead.
     */
    public static Optional<String> canonical(String domain) {
        var name = Arrays.stream(UnicodeText.nfc(domain).split("\\.", -1))
                .map(label -> isAscii(label) ? inOwnScript(label) : label)
                .collect(Collectors.joining("."));
        return Optional.of(name).filter(one -> NAME.matcher(one).matches()).filter(EmailDomain::isMailedAsItIs);
    }

    /** The ASCII form for SMTP; throws an IllegalArgumentException if the domain would become another one. */
    public static String ascii(String canonical) {
        var isCanonical = canonical(canonical).filter(canonical::equals).isPresent();
        if (!isCanonical) {
            throw new IllegalArgumentException("no mail can be delivered to this domain");
        }
        return IDN.toASCII(canonical);
    }

    /** An ASCII label in its own script, if that is a label and converts back to the same ASCII. */
    private static String inOwnScript(String label) {
        var unicode = IDN.toUnicode(label);
        return ONE_LABEL.matcher(unicode).matches() && isMailedAsItIs(unicode) ? unicode : label;
    }

    private static boolean isMailedAsItIs(String name) {
        try {
            var ascii = IDN.toASCII(name);
            return ascii.length() <= MAX_LENGTH
                    && (ascii.equals(name) || IDN.toUnicode(ascii).equals(name));
        } catch (IllegalArgumentException noDomain) {
            return false;
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
