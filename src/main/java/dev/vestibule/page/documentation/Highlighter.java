package dev.vestibule.page.documentation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.renderer.html.HtmlWriter;

/**
 * Marks comments, strings, keywords, variables and keys of code for the style sheet, by one regular expression for each
 * language. No library on Maven Central does this: those that do only this are no longer maintained, and the others
 * bring an editor along. What no expression knows stays plain.
 */
final class Highlighter {
    private static final List<String> CLASSES = List.of("comment", "string", "keyword", "variable", "key");

    private static final String QUOTED = "\"(?:[^\"\\\\\n]|\\\\.)*+\"|'(?:[^'\\\\\n]|\\\\.)*+'";
    private static final String QUOTED_OVER_LINES = "\"(?:[^\"\\\\]|\\\\.)*+\"|'[^']*+'";
    private static final String HASH = "(?<![^\\s])#[^\n]*+";
    private static final String SLASHES = "//[^\n]*+|/\\*(?:[^*]|\\*(?!/))*+\\*/";

    private static final Map<String, Pattern> LANGUAGES = languages();

    private Highlighter() {}

    private static Map<String, Pattern> languages() {
        var languages = new HashMap<String, Pattern>();
        languages.put(
                "sh",
                of(
                        comment(HASH),
                        string(QUOTED_OVER_LINES),
                        keywords(
                                "case do done echo elif else esac exit export fi for function if in read return set shift"
                                        + " then while"),
                        "(?<variable>\\$\\{[^}\n]*+}|\\$\\w++|^\\w++(?==))"));
        languages.put(
                "js",
                of(
                        comment(SLASHES),
                        string(QUOTED + "|`[^`]*+`"),
                        keywords(
                                "async await break case catch class const continue default else export extends false finally"
                                        + " for from function if import in let new null of return static switch this throw true"
                                        + " try typeof undefined while")));
        languages.put(
                "python",
                of(
                        comment(HASH),
                        string("[bfr]?(?:" + QUOTED + ")"),
                        keywords(
                                "False None True and as assert class def del elif else except finally for from if import in"
                                        + " is lambda not or pass raise return try while with yield")));
        languages.put(
                "go",
                of(
                        comment(SLASHES),
                        string(QUOTED + "|`[^`]*+`"),
                        keywords(
                                "break case chan const continue default defer else false for func go if import interface map"
                                        + " nil package range return select struct switch true type var")));
        languages.put(
                "java",
                of(
                        comment(SLASHES),
                        string(QUOTED),
                        keywords(
                                "catch class else extends false final finally for if implements import new null package"
                                        + " private public record return static switch this throw throws true try var void"
                                        + " while")));
        languages.put("json", of("(?<key>\"[^\"\n]*+\"(?=\\s*:))", string(QUOTED), keywords("false null true")));
        languages.put("yaml", of(comment(HASH), string(QUOTED), "(?<key>^[ -]*+[\\w.]++(?=:))"));
        languages.put(
                "properties", of(comment("^#[^\n]*+"), "(?<key>^[\\w.]++(?==))", "(?<variable>\\{\\{[^}\n]*+}})"));
        languages.put(
                "html",
                of(
                        comment("<!--(?:[^-]|-(?!->))*+-->"),
                        "(?<keyword></?[a-z][a-z0-9]*+|/?>)",
                        string(QUOTED),
                        "(?<variable>\\{[{%][^}\n]*+})"));
        languages.put("nginx", of(comment(HASH), string(QUOTED), "(?<key>^\\s*+[a-z_]++)", "(?<variable>\\$\\w++)"));
        languages.put(
                "sql",
                of(
                        comment("--[^\n]*+"),
                        string("'[^']*+'"),
                        keywords("AND AS BY FROM IN IS NOT NULL OR ORDER SELECT WHERE")));
        return Map.copyOf(languages);
    }

    private static Pattern of(String... alternatives) {
        return Pattern.compile(String.join("|", alternatives), Pattern.MULTILINE);
    }

    private static String comment(String expression) {
        return "(?<comment>" + expression + ")";
    }

    private static String string(String expression) {
        return "(?<string>" + expression + ")";
    }

    private static String keywords(String words) {
        return "(?<keyword>(?<![\\w.$-])(?:" + words.replace(' ', '|') + ")(?![\\w-]))";
    }

    /** Writes the code, escaped. */
    static void write(HtmlWriter html, String language, String code) {
        var pattern = LANGUAGES.get(language);
        var from = 0;
        if (pattern != null) {
            for (var found = pattern.matcher(code); found.find(); from = found.end()) {
                html.text(code.substring(from, found.start()));
                html.tag("span", Map.of("class", classOf(pattern, found)));
                html.text(found.group());
                html.tag("/span");
            }
        }
        html.text(code.substring(from));
    }

    private static String classOf(Pattern pattern, Matcher found) {
        return CLASSES.stream()
                .filter(name -> pattern.pattern().contains("(?<" + name + ">") && found.group(name) != null)
                .findFirst()
                .orElseThrow();
    }
}
