package dev.vestibule.http;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.UnicodeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/**
 * Finds text that mail programs and phones turn into a link. A name that a stranger chooses must not contain one, or
 * this server would deliver the stranger's messages. The list of top-level domains comes from the JDK.
 */
public final class Links {
    /** After NFKC, the only other dot that domain names can be written with (UTS 46). */
    private static final char IDEOGRAPHIC_DOT = '\u3002';

    /** Common in company names, but also in the list of domains; mails write them with a space. */
    private static final Set<String> LEGAL_FORMS = Set.of("co.kg", "co.ltd");

    private static final Set<String> TOP_LEVEL =
            topLevel(Path.of(System.getProperty("java.home"), "lib", "security", "public_suffix_list.dat"));

    private static final String LOCALHOST = "localhost";
    private static final char FIRST_BEYOND_ASCII = 0x80;

    /** Top-level domains that are on no list but that people recognize as such. */
    private static final Set<String> SPECIAL = Set.of("example", "onion");

    /** In a domain name (RFC 1035, 2.3.4). */
    private static final int LONGEST_LABEL = 63;

    /** Invisible characters, which a program may ignore. */
    private static final Pattern INVISIBLE =
            Pattern.compile("[\\p{Cf}\\x{00AD}\\x{034F}\\x{115F}\\x{1160}\\x{3164}\\x{FE00}-\\x{FE0F}\\x{FFA0}]");

    /** A link has a scheme, or none if no word ends right before it. */
    private static final Pattern HTTP_MARK = Pattern.compile("://|(?<![\\p{L}\\p{N}])//(?=[\\p{L}\\p{N}])");

    private static final Pattern SPACES = Pattern.compile(" {2,}+");

    /** A word, or a part of one that is longer than {@link UnicodeText} maps. */
    private static final Pattern PIECE = Pattern.compile("[^ ]{1," + UnicodeText.MAX_LENGTH / 2 + "}+");

    private Links() {}

    /** Empty if this Java has no list. */
    private static Set<String> topLevel(Path list) {
        if (!Files.isReadable(list)) {
            return Set.of();
        }
        try (var zip = new ZipFile(list.toFile())) {
            return zip.stream()
                    .map(entry -> UnicodeText.lowerAscii(entry.getName()))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException unreadable) {
            return Set.of();
        }
    }

    /** The rule for names that mails show. */
    public static String rejectIn(String name) {
        if (containsLink(name)) {
            throw new InvalidValueException(
                    "must not hold a link, a domain or an email address, since mails show it and"
                            + " mail programs would make a link of it");
        }
        return name;
    }

    /**
     * Whether a program could turn a part of it into a link: a URL with or without its scheme, a domain, an email
     * address.
     */
    public static boolean containsLink(String text) {
        return isLinkInPlain(plain(text), true);
    }

    /**
     * The text itself if it contains no link; otherwise a similar text that no program turns into a link. A long text
     * is looked at word by word, since no link has a space in it.
     */
    public static String removeFrom(String text) {
        return text.length() <= UnicodeText.MAX_LENGTH
                ? removeFromShort(text)
                : PIECE.matcher(text)
                        .results()
                        .map(piece -> removeFromShort(piece.group()))
                        .collect(Collectors.joining(" "));
    }

    private static String removeFromShort(String text) {
        var plain = plain(text);
        return isLinkInPlain(plain, false) ? broken(plain) : text;
    }

    private static String plain(String text) {
        return INVISIBLE
                .matcher(UnicodeText.nfkc(text).replace(IDEOGRAPHIC_DOT, '.'))
                .replaceAll("");
    }

    private static boolean isLinkInPlain(String plain, boolean allowsLegalForms) {
        if (HTTP_MARK.matcher(plain).find()) {
            return true;
        }
        for (var begin = 0; begin < plain.length(); ) {
            var end = wordEnd(plain, begin);
            if (end > begin && isLink(plain, begin, end, allowsLegalForms)) {
                return true;
            }
            begin = end + 1;
        }
        return false;
    }

    /** The end of the run of letters, digits, hyphens and dots that starts there. */
    private static int wordEnd(String text, int begin) {
        var end = begin;
        while (end < text.length() && isDomainCharacter(text.codePointAt(end))) {
            end += Character.charCount(text.codePointAt(end));
        }
        return end;
    }

    private static boolean isDomainCharacter(int c) {
        return c == '.' || c == '-' || c == '_' || Character.isLetterOrDigit(c) || isMark(c);
    }

    private static boolean isMark(int c) {
        var type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    private static boolean isLink(String plain, int begin, int end, boolean allowsLegalForms) {
        if (end - begin > UnicodeText.MAX_LENGTH) {
            return plain.substring(begin, end).indexOf('.') >= 0; // not worth a closer look: no domain is that long
        }
        var word = UnicodeText.lower(plain.substring(begin, end));
        if (allowsLegalForms && LEGAL_FORMS.contains(word)) {
            return isFollowedByPath(plain, end);
        }
        if (word.equals(LOCALHOST)) {
            return isFollowedByPath(plain, end);
        }
        var labels = word.split("\\.", -1);
        var dotted = 0;
        var last = "";
        for (var i = 1; i < labels.length; i++) {
            if (!labels[i - 1].isEmpty() && !labels[i].isEmpty()) {
                dotted++;
                last = labels[i];
                if (beginsWithTopLevel(last) || (i == 1 && labels[0].equals("www"))) {
                    return true;
                }
            }
        }
        return dotted > 0
                && ((isHost(dotted, last) && isFollowedByPath(plain, end))
                        || (begin > 0 && plain.charAt(begin - 1) == '@'));
    }

    /** Some programs end a domain where a hyphen or another script begins, and turn the part before it into a link. */
    private static boolean beginsWithTopLevel(String label) {
        if (isTopLevel(label)) {
            return true;
        }
        for (var end = 1; end < label.length() && end <= LONGEST_LABEL; end++) {
            if (isBoundary(label.charAt(end - 1), label.charAt(end)) && isTopLevel(label.substring(0, end))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBoundary(char before, char after) {
        return after == '-' || after == '_' || (before < FIRST_BEYOND_ASCII) != (after < FIRST_BEYOND_ASCII);
    }

    private static boolean isTopLevel(String label) {
        return label.startsWith("xn--") || (label.length() > 1 && isListed(label));
    }

    /** If this Java has no list, any word may be a top-level domain. */
    private static boolean isListed(String label) {
        return TOP_LEVEL.isEmpty()
                ? label.codePoints().noneMatch(Character::isDigit)
                : TOP_LEVEL.contains(label) || SPECIAL.contains(label);
    }

    /**
     * Possibly a domain that this Java does not know, or an IPv4 address; a version or a fraction has no letters at its
     * end.
     */
    private static boolean isHost(int dots, String last) {
        var isName = last.length() > 1 && Character.isLetter(last.codePointAt(0));
        var isAddress = dots == 3 && last.chars().allMatch(Character::isDigit);
        return isName || isAddress;
    }

    private static boolean isFollowedByPath(String plain, int end) {
        if (end + 1 >= plain.length()) {
            return false;
        }
        var afterNext = plain.charAt(end + 1);
        return switch (plain.charAt(end)) {
            case '/', '?', '#' -> !Character.isWhitespace(afterNext);
            case ':' -> Character.isDigit(afterNext);
            default -> false;
        };
    }

    /** Breaks links with spaces, which no program ignores. */
    private static String broken(String plain) {
        var apart = new StringBuilder();
        plain.codePoints().forEach(c -> {
            if (c == ':' || c == '/' || c == '@' || c == '\\' || c == '?' || c == '#') {
                apart.append(' ');
            } else {
                apart.appendCodePoint(c);
                if (c == '.') {
                    apart.append(' ');
                }
            }
        });
        return SPACES.matcher(apart).replaceAll(" ").strip();
    }
}
