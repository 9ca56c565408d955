package dev.vestibule.user;

import dev.vestibule.json.Letters;
import java.net.IDN;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The domain of an email address, in the one form in which it is kept, compared and mailed to: internationalized labels in
 * their own script where both generations of IDNA agree on them, and in ASCII ({@code xn--…}) where they do not. The JDK knows
 * the older one (RFC 3490), which maps {@code straße.de} to {@code strasse.de}, the domain of somebody else.
 */
public final class EmailDomain {
    private static final int MAX_LENGTH = 253;
    private static final String LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
    private static final Pattern ONE_LABEL = Pattern.compile(LABEL);

    /** With a dot, and not an IPv4 address: a name without one is a machine beside the mail server. */
    private static final Pattern NAME = Pattern.compile("(?:" + LABEL + "\\.)++(?![0-9]+$)" + LABEL);

    private EmailDomain() {}

    /** Of a domain in lower case; empty where it is none that mail can be delivered to, or could be mailed to as another one. */
    static Optional<String> canonical(String domain) {
        var name = Arrays.stream(Letters.nfc(domain).split("\\.", -1))
                .map(label -> isAscii(label) ? own(label) : label)
                .collect(Collectors.joining("."));
        return Optional.of(name).filter(one -> NAME.matcher(one).matches()).filter(EmailDomain::isMailedAsItIs);
    }

    /** For SMTP; throws an IllegalArgumentException for a domain that would become another one. */
    public static String ascii(String canonical) {
        var isCanonical = canonical(canonical).filter(canonical::equals).isPresent();
        if (!isCanonical) {
            throw new IllegalArgumentException("no mail can be delivered to this domain");
        }
        return IDN.toASCII(canonical);
    }

    /** An ASCII label in its own script, where that is a label and leads back to the same. */
    private static String own(String label) {
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
