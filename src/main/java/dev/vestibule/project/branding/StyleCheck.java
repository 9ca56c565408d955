package dev.vestibule.project.branding;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rule of the field {@code customCss}, which clients write into a {@code <style>} of their page unescaped. It does
 * not parse CSS, whose syntax grows every year. It only looks at the tokens, and refuses whatever it is not sure of.
 * That is enough because two characters are not allowed: {@code <}, without which nothing can end the element, and the
 * backslash, without which every name has only one spelling.
 */
final class StyleCheck {
    private static final int MAX_LENGTH = 20_000;
    /** The type of the field. */
    static final FieldType<String> CSS = FieldType.text(MAX_LENGTH, StyleCheck::css);

    private static final Set<String> AT_RULES = Set.of(
            "media", "supports", "font-face", "keyframes", "-webkit-keyframes", "layer", "container", "property");

    /** Properties that ran scripts in old browsers. */
    private static final Set<String> ACTIVE_PROPERTIES = Set.of("behavior", "-moz-binding");

    /** Functions that load or run something: url, src, image, image-set, expression, and future ones. */
    private static final List<String> LOADING_FUNCTIONS = List.of("url", "src", "image", "expression", "import");

    private static final String OPENING = "({[";
    private static final String CLOSING = ")}]";

    /**
     * The names of CSS: every character beyond ASCII can be part of a name, in some browsers more of them than in
     * others.
     */
    private static final String NAME = "[\\w\\-\\x{80}-\\x{10FFFF}]";

    /** Its content means the same to a browser that does not read it as a URL. */
    private static final String DATA =
            "data:(?:image/(?:png|jpeg|gif|webp|svg\\+xml)|font/woff2?);base64,[a-z0-9+/=]*+";

    private static final String BLANKS = "[ \\t\\n\\r]*+";

    /**
     * The tokens of CSS Syntax Level 3, 4.3. Anything else is refused, such as an unclosed comment, string or URL, and
     * a hash before a bracket, whose name may end earlier in another browser.
     */
    private static final Pattern TOKEN = Pattern.compile(
            "/\\*(?s:.*?)\\*/"
                    + "|\"[^\"\\n\\r]*\"|'[^'\\n\\r]*'"
                    + "|url\\(" + BLANKS + "(?:\"" + DATA + "\"|'" + DATA + "'|" + DATA + ")" + BLANKS + "\\)"
                    + "|@(?<rule>" + NAME + "++)"
                    + "|#" + NAME + "*+(?!\\()"
                    + "|(?<name>" + NAME + "++)(?<function>\\(?)"
                    + "|(?<bracket>[(){}\\[\\]])"
                    + "|/(?!\\*)|[^\"'/@#]",
            Pattern.CASE_INSENSITIVE);

    private final Deque<Character> open = new ArrayDeque<>();

    private StyleCheck() {}

    /** Returns the same text. The check runs once, when the style is saved; the stored style is served unchanged. */
    static String css(String text) {
        Text.printable(text.replace('\n', ' ').replace('\r', ' ').replace('\t', ' '));
        if (text.indexOf('<') >= 0 || text.indexOf('\\') >= 0) {
            throw new InvalidValueException("must not contain < or a backslash");
        }
        new StyleCheck().check(text);
        return text;
    }

    private void check(String text) {
        var token = TOKEN.matcher(text);
        var at = 0;
        while (at < text.length()) {
            if (!token.region(at, text.length()).lookingAt()) {
                throw notClosed();
            }
            check(token);
            at = token.end();
        }
        if (!open.isEmpty()) {
            throw notClosed();
        }
    }

    private void check(Matcher token) {
        var rule = token.group("rule");
        if (rule != null && !AT_RULES.contains(UnicodeText.lowerAscii(rule))) {
            throw new InvalidValueException(
                    "must not use at-rules other than @media, @supports, @font-face, @keyframes,"
                            + " @layer, @container and @property");
        }
        var name = token.group("name");
        if (name != null) {
            checkName(UnicodeText.lowerAscii(name), !token.group("function").isEmpty());
        }
        var bracket = token.group("bracket");
        if (bracket != null) {
            checkBracket(bracket.charAt(0));
        }
    }

    private void checkName(String name, boolean isFunction) {
        if (isFunction) {
            open.push('(');
        }
        if (ACTIVE_PROPERTIES.contains(name)
                || (isFunction && LOADING_FUNCTIONS.stream().anyMatch(name::contains))) {
            throw new InvalidValueException(
                    "must not load anything: embed images and fonts, as url(\"data:…;base64,…\")");
        }
    }

    /** The rest of a page's styles would belong to an unclosed block. */
    private void checkBracket(char bracket) {
        if (OPENING.indexOf(bracket) >= 0) {
            open.push(bracket);
        } else if (open.isEmpty() || OPENING.indexOf(open.pop()) != CLOSING.indexOf(bracket)) {
            throw notClosed();
        }
    }

    private static InvalidValueException notClosed() {
        return new InvalidValueException("must be CSS in which every comment, string and bracket is closed,"
                + " and that every browser reads alike");
    }
}
