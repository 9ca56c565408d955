package dev.vestibule.http;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Letters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/**
 * What mail programs and telephones make a link of in plain text: names that strangers choose must hold none, or this server would
 * deliver their letters. Which top-level domains there are is read from the list that every JDK brings.
 */
public final class Links {
    /** Every kind of dot that names of domains may be written with, after NFKC (UTS 46). */
    private static final char IDEOGRAPHIC_DOT = '\u3002';

    /** Frequent in names of companies, and in the list of domains as well; mails write them with a space. */
    private static final Set<String> LEGAL_FORMS = Set.of("co.kg", "co.ltd");

    private static final Set<String> TOP_LEVEL =
            topLevel(Path.of(System.getProperty("java.home"), "lib", "security", "public_suffix_list.dat"));

    private static final String LOCALHOST = "localhost";
    private static final char FIRST_BEYOND_ASCII = 0x80;

    /** Top-level domains that no list has, and that people take for ones. */
    private static final Set<String> SPECIAL = Set.of("example", "onion");

    /** Nobody sees them, and a program may look past them. */
    private static final Pattern INVISIBLE =
            Pattern.compile("[\\p{Cf}\\x{00AD}\\x{034F}\\x{115F}\\x{1160}\\x{3164}\\x{FE00}-\\x{FE0F}\\x{FFA0}]");

    /** With a scheme or, where no word ends before it, without one. */
    private static final Pattern HTTP_MARK = Pattern.compile("://|(?<![\\p{L}\\p{N}])//(?=[\\p{L}\\p{N}])");

    private static final Pattern SPACES = Pattern.compile(" {2,}+");

    private Links() {}

    /** Empty where this Java has no list. */
    private static Set<String> topLevel(Path list) {
        if (!Files.isReadable(list)) {
            return Set.of();
        }
        try (var zip = new ZipFile(list.toFile())) {
            return zip.stream()
                    .map(entry -> Letters.lowerAscii(entry.getName()))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException unreadable) {
            return Set.of();
        }
    }

    /** The rule of names that mails show. */
    public static String refuse(String name) {
        if (isIn(name)) {
            throw new InvalidValueException(
                    "must not hold a link, a domain or an email address, since mails show it and"
                            + " mail programs would make a link of it");
        }
        return name;
    }

    /** Whether a program could make a link of a part of it: an address with or without its scheme, a domain, an email. */
    public static boolean isIn(String text) {
        return isInPlain(plain(text), true);
    }

    /** This text where there is no link in it; else one that reads alike and of which no program makes a link. */
    public static String removed(String text) {
        var plain = plain(text);
        return isInPlain(plain, false) ? broken(plain) : text;
    }

    private static String plain(String text) {
        return INVISIBLE
                .matcher(Letters.nfkc(text).replace(IDEOGRAPHIC_DOT, '.'))
                .replaceAll("");
    }

    private static boolean isInPlain(String plain, boolean allowsLegalForms) {
        if (HTTP_MARK.matcher(plain).find()) {
            return true;
        }
        for (var begin = 0; begin < plain.length(); ) {
            var end = endOfWord(plain, begin);
            if (end > begin && isLink(plain, begin, end, allowsLegalForms)) {
                return true;
            }
            begin = end + 1;
        }
        return false;
    }

    /** The end of the letters, digits, hyphens and dots from there on. */
    private static int endOfWord(String text, int begin) {
        var end = begin;
        while (end < text.length() && isOfDomain(text.codePointAt(end))) {
            end += Character.charCount(text.codePointAt(end));
        }
        return end;
    }

    private static boolean isOfDomain(int c) {
        return c == '.' || c == '-' || c == '_' || Character.isLetterOrDigit(c) || isMark(c);
    }

    private static boolean isMark(int c) {
        var type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    private static boolean isLink(String plain, int begin, int end, boolean allowsLegalForms) {
        var word = Letters.lower(plain.substring(begin, end));
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

    /** Some programs end a domain where a hyphen or another script begins, and make a link of what is before it. */
    private static boolean beginsWithTopLevel(String label) {
        if (isTopLevel(label)) {
            return true;
        }
        for (var end = 1; end < label.length(); end++) {
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

    /** Where this Java has no list, every word may be one. */
    private static boolean isListed(String label) {
        return TOP_LEVEL.isEmpty()
                ? label.codePoints().noneMatch(Character::isDigit)
                : TOP_LEVEL.contains(label) || SPECIAL.contains(label);
    }

    /** Perhaps of a domain that this Java does not know, or an IPv4 address; a version or a fraction has no letters at its end. */
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

    /** A space is what no program looks past. */
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
