package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No pattern takes more than linear time, whatever a client sends: one that does blocks an event loop, and with it
 * every project. Nor does one need more stack for a longer text, since a long enough one would overflow it. Each
 * pattern of the source is run against adversarial texts, which count how often their characters are read and how deep
 * the stack is then, so that the result does not depend on a clock or on the size of a stack.
 */
class PatternsTest {
    private static final Path MAIN = Path.of("src/main/java");

    /** Its patterns see nothing but the samples in our guides, once. */
    private static final Path OF_OUR_GUIDES = Path.of("documentation/Highlighter.java");

    private static final Pattern COMPILED = Pattern.compile("\\bPattern\\.compile\\(");
    private static final Pattern SEARCHED =
            Pattern.compile("\\.(?:find|results)\\(\\)|\\.(?:replaceAll|replaceFirst)\\(");
    private static final String LITERAL = "\"(?:[^\"\\\\\\n]|\\\\.)*\"";
    private static final Pattern INLINE = Pattern.compile("\\.(matches|replaceAll|replaceFirst|split)\\(\\s*(" + LITERAL
            + "(?:\\s*\\+\\s*(?:" + LITERAL + "|[A-Z_]+))*)\\s*[,)]");

    private static final String CHARACTERS = "1aAfzé\u0301 \t\n-._@+/%\"'\\:,;<({[=$#?&~!|\u00a0";
    private static final List<String> PAIRS =
            List.of("1a", "a.", "a-", "1.", "\\\"", "a@", "%4", "%41", "a ", "/a", "//", "/.", ",a", "a:", "()");
    private static final List<String> PREFIXES = List.of("", "a", "1", "\"", "a@", "a.");
    private static final List<String> ENDS = List.of("", "\u0001", "a", "1", "@", "\n!");

    /** Below this even a careless pattern is fast; above it the growth decides. */
    private static final int STEPS_WITHOUT_SUSPICION = 12;

    private static final int SHORT = 200;
    private static final int LONG = 600;
    private static final double MAX_GROWTH = 2.7; // 2 is linear, 4 is quadratic
    private static final int MAX_STEPS = 3_000_000;

    /** Only a group that is repeated, or a counted repetition of characters of different lengths, can recurse. */
    private static final Pattern REPEATED = Pattern.compile("\\)[*+{]|\\{\\d");

    /** A character beyond the first 65,536 takes two places in a text. */
    private static final List<String> OF_DIFFERENT_LENGTHS = List.of("a\ud83d\ude80", "a\ud835\udd1e", "1\ud835\udfd9");

    private static final StackWalker STACK = StackWalker.getInstance();
    private static final int MEASUREMENTS = 4;
    private static final int MAX_FRAMES = 20; // more that a text of twice the length needs

    private record Source(String file, String text) {}

    private record Found(String file, Pattern pattern, boolean isSearched) {
        @Override
        public String toString() {
            return file + ": " + pattern;
        }
    }

    /** The text to match, which counts the reads, and the frames of the stack when its end is read. */
    private static final class Counted implements CharSequence {
        private final String text;
        private int steps;
        private int measurementsLeft;
        private long frames;

        private Counted(String text, int measurements) {
            this.text = text;
            this.measurementsLeft = measurements;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++steps > MAX_STEPS) {
                throw new TooManyStepsException();
            }
            if (measurementsLeft > 0 && index == text.length() - 1) {
                measurementsLeft--;
                frames = Math.max(frames, STACK.walk(Stream::count));
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final class TooManyStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void noPatternTakesMoreThanLinearTime() {
        var found = found();
        assertThat(found).hasSizeGreaterThan(100);
        assertThat(found.stream().flatMap(one -> slow(one).stream())).isEmpty();
    }

    /** Patterns that were once in the source, and some that look harmless. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "^[^@\\p{L}]*\\p{Nd}[^@\\p{L}]*$",
                "\\\\|@import|image-set\\(|src\\(|url\\((?!\\s*[\"']?\\s*(?:#|data:image/(?:png|jpeg|gif|webp);))",
                ".*:",
                "^-+|-+$",
                "(a+)+b",
                "\\s*,\\s*",
                "[a-z]+[a-z0-9]*:"
            })
    void aPatternWithOverlappingRepetitionsIsDetected(String pattern) {
        assertThat(slow(new Found("", Pattern.compile(pattern, Pattern.CASE_INSENSITIVE), true)))
                .isNotEmpty();
    }

    @Test
    void noPatternNeedsMoreStackForALongerText() {
        assertThat(found().stream().flatMap(one -> deep(one).stream())).isEmpty();
    }

    /** Patterns that were once in the source, and some that look harmless. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "/console(?:/[a-z0-9-]+)*",
                "\"((?:[^\"\\\\]|\\\\.)+)\"",
                "[a-z]+(?:\\.[a-z]+)+",
                "(a|b)*",
                "\\S{1,2000}"
            })
    void aPatternThatRecursesIsDetected(String pattern) {
        assertThat(deep(new Found("", Pattern.compile(pattern), false))).isNotEmpty();
    }

    /** Patterns are found through the constants that hold them; a pattern elsewhere would escape this test. */
    @Test
    void everyPatternIsAConstant() {
        for (var source : sources()) {
            assertThat(constants(source))
                    .as("patterns in constants of %s", source.file())
                    .hasSize((int) COMPILED.matcher(source.text()).results().count());
        }
    }

    private static List<Found> found() {
        var found = new ArrayList<Found>();
        for (var source : sources()) {
            var isSearched = SEARCHED.matcher(source.text()).find();
            constants(source).forEach(pattern -> found.add(new Found(source.file(), pattern, isSearched)));
            INLINE.matcher(source.text())
                    .results()
                    .forEach(call -> found.add(new Found(
                            source.file(),
                            Pattern.compile(text(call.group(2))),
                            !call.group(1).equals("matches"))));
        }
        return found;
    }

    /** The text of literals and constants, which are numbers within repetitions. */
    private static String text(String expression) {
        var text = new StringBuilder();
        Pattern.compile(LITERAL + "|[A-Z_]+")
                .matcher(expression)
                .results()
                .forEach(part -> text.append(
                        part.group().startsWith("\"")
                                ? part.group()
                                        .substring(1, part.group().length() - 1)
                                        .translateEscapes()
                                : "4"));
        return text.toString();
    }

    private static Set<Pattern> constants(Source source) {
        var patterns = new LinkedHashSet<Pattern>();
        if (COMPILED.matcher(source.text()).find()) {
            collect(type(source), patterns);
        }
        return patterns;
    }

    private static Class<?> type(Source source) {
        try {
            return Class.forName(source.file().replace(".java", "").replace('/', '.'));
        } catch (ClassNotFoundException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void collect(Class<?> type, Set<Pattern> patterns) {
        for (var field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                collect(value(field, null), patterns, type);
            }
        }
        Stream.of(type.getDeclaredClasses()).forEach(nested -> collect(nested, patterns));
    }

    private static void collect(@Nullable Object value, Set<Pattern> patterns, Class<?> within) {
        if (value instanceof Pattern pattern) {
            patterns.add(pattern);
        } else if (value instanceof Collection<?> many) {
            many.forEach(one -> collect(one, patterns, within));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, one) -> {
                collect(key, patterns, within);
                collect(one, patterns, within);
            });
        } else if (value != null
                && (value instanceof Record || value.getClass().isEnum())
                && value.getClass().getName().startsWith(within.getName())) {
            for (var field : value.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    collect(value(field, value), patterns, within);
                }
            }
        }
    }

    private static @Nullable Object value(Field field, @Nullable Object of) {
        try {
            AccessibleObject accessible = field;
            accessible.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The first attack under which the pattern slows down, if there is one. */
    private static List<String> slow(Found found) {
        var prefixes = prefixes(found);
        for (var unit : units(found)) {
            for (var prefix : prefixes) {
                for (var end : ENDS) {
                    if (isSlow(found, prefix, unit, end)) {
                        return List.of("%s on %s and many %s and %s".formatted(found, prefix, unit, end));
                    }
                }
            }
        }
        return List.of();
    }

    private static Set<String> prefixes(Found found) {
        var prefixes = new LinkedHashSet<>(PREFIXES);
        prefixes.addAll(literals(found.pattern().pattern()));
        return prefixes;
    }

    private static Set<String> units(Found found) {
        var units = new LinkedHashSet<>(PAIRS);
        units.addAll(literals(found.pattern().pattern()));
        (CHARACTERS + found.pattern().pattern()).chars().forEach(c -> units.add(Character.toString(c)));
        return units;
    }

    /** The first text for which the pattern recurses, if there is one. */
    private static List<String> deep(Found found) {
        if (!REPEATED.matcher(found.pattern().pattern()).find()) {
            return List.of();
        }
        var prefixes = prefixes(found);
        var units = units(found);
        units.addAll(OF_DIFFERENT_LENGTHS);
        for (var unit : units) {
            for (var prefix : prefixes) {
                if (frames(found, prefix, unit, 2 * SHORT) > frames(found, prefix, unit, SHORT) + MAX_FRAMES) {
                    return List.of("%s on %s and many %s".formatted(found, prefix, unit));
                }
            }
        }
        return List.of();
    }

    /** At a match from the beginning: elsewhere, a search does the same. */
    private static long frames(Found found, String prefix, String unit, int length) {
        var counted = new Counted(prefix + unit.repeat(length / unit.length()), MEASUREMENTS);
        found.pattern().matcher(counted).lookingAt();
        return counted.frames;
    }

    private static boolean isSlow(Found found, String prefix, String unit, String end) {
        var first = steps(found, prefix, unit, SHORT, end);
        if (first < (long) STEPS_WITHOUT_SUSPICION * SHORT) {
            return false;
        }
        var some = steps(found, prefix, unit, LONG, end);
        var twice = steps(found, prefix, unit, 2 * LONG, end);
        return twice >= MAX_STEPS || twice > some * MAX_GROWTH;
    }

    private static int steps(Found found, String prefix, String unit, int length, String end) {
        var text = prefix + unit.repeat(length / unit.length()) + end;
        var counted = new Counted(text, 0);
        try {
            Matcher matcher = found.pattern().matcher(counted);
            matcher.matches();
            matcher.reset().lookingAt();
            if (found.isSearched()) {
                matcher.reset();
                while (matcher.find()) {
                    // to the end, as a replacement does
                }
            }
        } catch (TooManyStepsException | StackOverflowError slow) {
            return MAX_STEPS;
        }
        return counted.steps;
    }

    /** The literal texts in the pattern, alone and concatenated: a repetition may come after them. */
    private static List<String> literals(String pattern) {
        var words = Arrays.stream(
                        pattern.replaceAll("\\[[^\\]]*]|\\\\[a-zA-Z](?:\\{[^}]*})?|\\(\\?<?[a-z]*[:>!=]?", "\n")
                                .replaceAll("(?<!\\\\)[()*+?|^$.{}\\[\\]]", "\n")
                                .replace("\\", "")
                                .split("\\n+"))
                .filter(word -> !word.isEmpty())
                .distinct()
                .limit(8)
                .toList();
        var all = new ArrayList<>(words);
        words.forEach(word -> all.add(word + "("));
        all.add(String.join("", words));
        all.remove("");
        return all;
    }

    private static List<Source> sources() {
        try (Stream<Path> files = Files.walk(MAIN)) {
            var sources = new ArrayList<Source>();
            for (var file : files.filter(path -> path.toString().endsWith(".java") && !path.endsWith(OF_OUR_GUIDES))
                    .toList()) {
                sources.add(new Source(MAIN.relativize(file).toString(), Files.readString(file)));
            }
            return sources;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
