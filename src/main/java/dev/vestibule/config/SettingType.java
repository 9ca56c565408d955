package dev.vestibule.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parses the text of a setting, and describes what is allowed; the parser throws an IllegalArgumentException. */
record SettingType<T>(String allowed, boolean quotable, Function<String, T> parser, UnaryOperator<String> masking) {
    static final String MASK = "********";
    private static final String WEBHOOK_PREFIX = "whsec_";
    private static final Pattern PASSWORD_IN_URL = Pattern.compile("^((?:[a-z0-9-]*+=)?[a-z]+://[^:/?#]*?):.*@");

    static final SettingType<String> HOST = text("an address or a host name", "[A-Za-z0-9._:-]+");
    static final SettingType<String> HEADER = text("the name of a header", "[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    static final SettingType<String> EMAIL = text("an email address", "[^@\\s]{1,64}@[^@\\s]{1,255}");
    static final SettingType<String> LINE = text("1 to 100 characters on one line", "\\P{Cntrl}{1,100}");
    static final SettingType<Integer> PORT = wholeNumber(0, 65535);
    static final SettingType<Boolean> FLAG = new SettingType<>("true or false", true, SettingType::flag);
    static final SettingType<Path> PATH = new SettingType<>("a path", true, Path::of);
    static final SettingType<AddressRange> ADDRESS_RANGE =
            new SettingType<>("an IP address, or a network such as 10.0.0.0/8", true, AddressRange::parse);
    // Types that are not quotable may hold a password, so their values are not repeated in errors.
    static final SettingType<URI> HTTP_URL = new SettingType<>(
            "an absolute http or https URL with no user, query, fragment or slash at its end", false, SettingType::url);
    static final SettingType<String> ORIGIN = new SettingType<>(
            "a web origin, such as https://console.example.com", false, text -> WebOrigin.of(origin(text)));
    static final SettingType<DatabaseAddress> DATABASE =
            new SettingType<>(DatabaseAddress.FORM, false, DatabaseAddress::parse, SettingType::maskPassword);
    static final SettingType<ShardAddress> SHARD =
            new SettingType<>(ShardAddress.FORM, false, ShardAddress::parse, SettingType::maskPassword);
    static final SettingType<String> SHARD_NAME = text("the name of a database", "[a-z][a-z0-9-]{0,31}");
    static final SettingType<SmtpAddress> SMTP =
            new SettingType<>(SmtpAddress.FORM, false, SmtpAddress::parse, SettingType::maskPassword);
    static final SettingType<Secret> MASTER_SECRET =
            secret("32 bytes or more", text -> text.getBytes(UTF_8).length >= 32);
    static final SettingType<Secret> WEBHOOK_SECRET =
            secret("whsec_ and 24 to 64 bytes as base64", SettingType::isWebhookSecret);
    static final SettingType<String> COUNTRY = new SettingType<>(
            "a country of ISO 3166-1 that has telephone numbers, in two capital letters",
            true,
            text -> require(
                    text, PhoneNumberUtil.getInstance().getSupportedRegions().contains(text)));
    static final SettingType<Secret> PASSWORD = secret("8 to 128 characters", text -> {
        int characters = text.codePointCount(0, text.length());
        return characters >= 8 && characters <= 128;
    });

    SettingType(String allowed, boolean quotable, Function<String, T> parser) {
        this(allowed, quotable, parser, UnaryOperator.identity());
    }

    /** The error for a text that the parser rejected without its own explanation. */
    String message(String text) {
        return "must be " + allowed + (quotable ? ", not \"" + text + "\"" : "");
    }

    static SettingType<Integer> wholeNumber(int min, int max) {
        return number(min, max, "", number -> number);
    }

    static SettingType<Integer> kibibytes(int min, int max) {
        return number(min, max, " KiB", number -> number);
    }

    static SettingType<Integer> bytes(int min, int max) {
        return number(min, max, " bytes", number -> number);
    }

    static SettingType<Integer> days(int min, int max) {
        return number(min, max, " days", number -> number);
    }

    static SettingType<Duration> seconds(int min, int max) {
        return number(min, max, " seconds", Duration::ofSeconds);
    }

    static SettingType<Duration> millis(int min, int max) {
        return number(min, max, " milliseconds", Duration::ofMillis);
    }

    static <E extends Enum<E>> SettingType<E> choice(Class<E> choices) {
        String words =
                Arrays.stream(choices.getEnumConstants()).map(SettingType::word).collect(Collectors.joining(", "));
        return new SettingType<>(
                "one of " + words,
                true,
                text -> Arrays.stream(choices.getEnumConstants())
                        .filter(choice -> word(choice).equals(text))
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new));
    }

    static SettingType<Path> existingFile(Path workingDirectory) {
        return new SettingType<>("a file that exists and can be read", true, text -> {
            Path file = workingDirectory.resolve(text);
            return require(file, Files.isRegularFile(file) && Files.isReadable(file));
        });
    }

    static SettingType<Path> existingFolder(Path workingDirectory) {
        return new SettingType<>("a folder that exists and can be read", true, text -> {
            Path folder = workingDirectory.resolve(text);
            return require(folder, Files.isDirectory(folder) && Files.isReadable(folder));
        });
    }

    private static <T> SettingType<T> number(int min, int max, String unit, IntFunction<T> make) {
        return new SettingType<>("%d to %d%s".formatted(min, max, unit), true, text -> {
            int number = Integer.parseInt(text);
            return make.apply(require(number, number >= min && number <= max));
        });
    }

    private static SettingType<String> text(String allowed, String pattern) {
        return new SettingType<>(allowed, true, text -> require(text, text.matches(pattern)));
    }

    private static SettingType<Secret> secret(String allowed, Predicate<String> accepts) {
        return new SettingType<>(allowed, false, text -> new Secret(require(text, accepts.test(text))), text -> MASK);
    }

    /** The format of Standard Webhooks 1.0. */
    private static boolean isWebhookSecret(String text) {
        int bytes = text.startsWith(WEBHOOK_PREFIX)
                ? Base64.getDecoder().decode(text.substring(WEBHOOK_PREFIX.length())).length
                : 0;
        return bytes >= 24 && bytes <= 64;
    }

    private static String maskPassword(String url) {
        return PASSWORD_IN_URL.matcher(url).replaceFirst("$1:" + Matcher.quoteReplacement(MASK) + "@");
    }

    private static Boolean flag(String text) {
        return require(text, text.equals("true") || text.equals("false")).equals("true");
    }

    private static URI url(String text) {
        URI url = URI.create(text);
        boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        boolean bare = url.getRawUserInfo() == null && url.getRawQuery() == null && url.getRawFragment() == null;
        return require(url, web && bare && url.getHost() != null && !text.endsWith("/"));
    }

    private static URI origin(String text) {
        URI url = url(text.toLowerCase(Locale.ROOT));
        return require(url, url.getRawPath().isEmpty());
    }

    private static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <T> T require(T value, boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException();
        }
        return value;
    }
}
