package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.vestibule.config.DashboardSettings.Registration;
import dev.vestibule.config.HttpSettings.ForwardingHeader;
import dev.vestibule.config.LogSettings.LogLevel;
import dev.vestibule.config.WalletSettings.ChainNode;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The default of each setting, another value for it, and the component that it sets. */
final class SettingCases {
    static final Path NOWHERE = Path.of("/nowhere");
    static final String LONG = "0123456789abcdef0123456789abcdef";
    static final String SMS_SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();
    private static final int BODIES = (int) Math.min(HEAP_BYTES / 8, 1024 * 1024 * 1024);
    private static final int HEAP_KIB = (int) (HEAP_BYTES / 1024);
    private static final long MACHINE_BYTES =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    private static final int NATIVE_KIB = (int) Math.max(64 * 1024, (MACHINE_BYTES - HEAP_BYTES) / 4 / 1024);
    private static final int CONNECTIONS = (int) Math.min(HEAP_BYTES / 32 / 1024, 20_000);

    private SettingCases() {}

    /**
     * A case for each setting, in the order in which they are declared. Numbers, times and flags follow from their
     * declarations: one with a default needs a line here only if its component has another name.
     */
    static Stream<SettingCase> cases() {
        var own = own().collect(Collectors.toMap(SettingCase::name, it -> it));
        return Loading.declared().stream()
                .map(setting -> own.containsKey(setting.name()) ? own.get(setting.name()) : derived(setting));
    }

    static Stream<SettingCase> own() {
        Object none = Optional.empty();
        return Stream.of(
                new SettingCase(
                        "publicUrl",
                        "VESTIBULE_PUBLIC_URL",
                        URI.create("http://localhost:8080"),
                        "https://a.example/auth",
                        URI.create("https://a.example/auth")),
                new SettingCase(
                        "dataDir", "VESTIBULE_DATA_DIR", NOWHERE.resolve("data"), "/srv/auth", Path.of("/srv/auth")),
                new SettingCase("secret", "VESTIBULE_SECRET", none, LONG, Optional.of(new Secret(LONG))),
                new SettingCase(
                        "previousSecrets", "VESTIBULE_PREVIOUS_SECRETS", List.of(), LONG, List.of(new Secret(LONG))),
                new SettingCase("http.host", "VESTIBULE_HTTP_HOST", "0.0.0.0", "::1", "::1"),
                new SettingCase(
                        "http.trustedProxies",
                        "VESTIBULE_HTTP_TRUSTED_PROXIES",
                        List.of(),
                        "10.0.0.0/8",
                        List.of(AddressRange.parse("10.0.0.0/8"))),
                new SettingCase(
                        "http.forwardedHeader",
                        "VESTIBULE_HTTP_FORWARDED_HEADER",
                        ForwardingHeader.X_FORWARDED_FOR,
                        "forwarded",
                        ForwardingHeader.FORWARDED),
                new SettingCase(
                        "http.countryHeader", "VESTIBULE_HTTP_COUNTRY_HEADER", none, "X-Land", Optional.of("X-Land")),
                new SettingCase(
                        "http.maxBodyBytesInFlight",
                        "VESTIBULE_HTTP_MAX_BODY_BYTES_IN_FLIGHT",
                        BODIES,
                        "1048577",
                        1_048_577),
                new SettingCase(
                        "http.maxBodyBytesPerNetwork",
                        "VESTIBULE_HTTP_MAX_BODY_BYTES_PER_NETWORK",
                        BODIES / 4,
                        "1048577",
                        1_048_577),
                new SettingCase("http.maxConnections", "VESTIBULE_HTTP_MAX_CONNECTIONS", CONNECTIONS, "7", 7),
                new SettingCase(
                        "http.maxConnectionsPerNetwork",
                        "VESTIBULE_HTTP_MAX_CONNECTIONS_PER_NETWORK",
                        CONNECTIONS / 8,
                        "7",
                        7),
                new SettingCase(
                        "http.maxSilentConnections", "VESTIBULE_HTTP_MAX_SILENT_CONNECTIONS", CONNECTIONS / 4, "7", 7),
                new SettingCase("http.eventLoops", "VESTIBULE_HTTP_EVENT_LOOPS", CORES, "77", 77),
                new SettingCase("management.host", "VESTIBULE_MANAGEMENT_HOST", "127.0.0.1", "0.0.0.0", "0.0.0.0"),
                new SettingCase(
                        "log.format", "VESTIBULE_LOG_FORMAT", LogSettings.Format.TEXT, "json", LogSettings.Format.JSON),
                new SettingCase(
                        "log.level",
                        "VESTIBULE_LOG_LEVEL",
                        List.of(),
                        "warn, dev.vestibule.webhook=debug",
                        List.of(
                                new LogLevel("", LogLevel.Level.WARN),
                                new LogLevel("dev.vestibule.webhook", LogLevel.Level.DEBUG))),
                new SettingCase(
                        "database.url",
                        "VESTIBULE_DATABASE_URL",
                        none,
                        "postgresql://u:p@db/auth",
                        Optional.of(DatabaseAddress.parse("postgresql://u:p@db/auth"))),
                new SettingCase(
                        "database.directUrl",
                        "VESTIBULE_DATABASE_DIRECT_URL",
                        none,
                        "postgresql://u:p@db/auth",
                        Optional.of(DatabaseAddress.parse("postgresql://u:p@db/auth"))),
                new SettingCase(
                        "database.shards",
                        "VESTIBULE_DATABASE_SHARDS",
                        List.of(),
                        "eu=postgresql://u:p@eu/auth, us-2=postgresql://u:p@us/auth",
                        List.of(
                                new ShardAddress("eu", DatabaseAddress.parse("postgresql://u:p@eu/auth")),
                                new ShardAddress("us-2", DatabaseAddress.parse("postgresql://u:p@us/auth")))),
                new SettingCase("database.newProjects", "VESTIBULE_DATABASE_NEW_PROJECTS", "home", "eu", "eu"),
                new SettingCase(
                        "geo.databaseFile",
                        "VESTIBULE_GEO_DATABASE_FILE",
                        none,
                        Path.of("pom.xml").toAbsolutePath().toString(),
                        Optional.of(Path.of("pom.xml").toAbsolutePath())),
                new SettingCase(
                        "smtp.url",
                        "VESTIBULE_SMTP_URL",
                        none,
                        "smtps://u:p@mail_host",
                        Optional.of(SmtpAddress.parse("smtps://u:p@mail_host:465"))),
                new SettingCase("mail.from", "VESTIBULE_MAIL_FROM", "no-reply@localhost", "a@b.example", "a@b.example"),
                new SettingCase("mail.fromName", "VESTIBULE_MAIL_FROM_NAME", "Vestibule", "Ann & Co.", "Ann & Co."),
                new SettingCase(
                        "mail.templates",
                        "VESTIBULE_MAIL_TEMPLATES",
                        none,
                        Path.of("src").toAbsolutePath().toString(),
                        Optional.of(Path.of("src").toAbsolutePath())),
                time("mail.retrySeconds", "VESTIBULE_MAIL_RETRY_SECONDS", "mail.firstRetry", 5),
                new SettingCase(
                        "sms.url",
                        "VESTIBULE_SMS_URL",
                        none,
                        "http://sms.internal:8081/send",
                        Optional.of(URI.create("http://sms.internal:8081/send"))),
                new SettingCase(
                        "sms.secret", "VESTIBULE_SMS_SECRET", none, SMS_SECRET, Optional.of(new Secret(SMS_SECRET))),
                new SettingCase("sms.countries", "VESTIBULE_SMS_COUNTRIES", List.of(), "NO, KR", List.of("NO", "KR")),
                new SettingCase(
                        "oauth.catalogueFile",
                        "VESTIBULE_OAUTH_CATALOGUE_FILE",
                        none,
                        Path.of("pom.xml").toAbsolutePath().toString(),
                        Optional.of(Path.of("pom.xml").toAbsolutePath())),
                new SettingCase(
                        "domains.dnsHost", "VESTIBULE_DOMAINS_DNS_HOST", none, "192.0.2.53", Optional.of("192.0.2.53")),
                new SettingCase(
                        "wallets.nodes",
                        "VESTIBULE_WALLETS_NODES",
                        List.of(),
                        "1=http://node.internal:8545/key",
                        List.of(new ChainNode(1, URI.create("http://node.internal:8545/key")))),
                new SettingCase(
                        "dashboard.registration",
                        "VESTIBULE_DASHBOARD_REGISTRATION",
                        Registration.FIRST,
                        "closed",
                        Registration.CLOSED),
                new SettingCase(
                        "dashboard.email",
                        "VESTIBULE_DASHBOARD_EMAIL",
                        none,
                        "a@b.example",
                        Optional.of("a@b.example")),
                new SettingCase(
                        "dashboard.password",
                        "VESTIBULE_DASHBOARD_PASSWORD",
                        none,
                        "long enough",
                        Optional.of(new Secret("long enough"))),
                new SettingCase(
                        "dashboard.administrators",
                        "VESTIBULE_DASHBOARD_ADMINISTRATORS",
                        List.of(),
                        "a@b.example, c@d.example",
                        List.of("a@b.example", "c@d.example")),
                new SettingCase(
                        "dashboard.allowedOrigins",
                        "VESTIBULE_DASHBOARD_ALLOWED_ORIGINS",
                        List.of(),
                        "HTTPS://A.example:443",
                        List.of("https://a.example")),
                new SettingCase(
                        "dashboard.invitationUrl",
                        "VESTIBULE_DASHBOARD_INVITATION_URL",
                        none,
                        "https://a.example/join",
                        Optional.of(URI.create("https://a.example/join"))),
                new SettingCase("passwords.threads", "VESTIBULE_PASSWORDS_THREADS", CORES, "77", 77),
                new SettingCase(
                        "passwords.heapBudget",
                        "VESTIBULE_PASSWORDS_HEAP_BUDGET",
                        "passwords.heapBudgetKibibytes",
                        HEAP_KIB / 3,
                        "2048",
                        2048),
                new SettingCase(
                        "passwords.nativeBudget",
                        "VESTIBULE_PASSWORDS_NATIVE_BUDGET",
                        "passwords.nativeBudgetKibibytes",
                        NATIVE_KIB,
                        "20480",
                        20480),
                new SettingCase(
                        "passwords.breachUrl",
                        "VESTIBULE_PASSWORDS_BREACH_URL",
                        URI.create("https://api.pwnedpasswords.com"),
                        "http://mirror.example:81/pwned",
                        URI.create("http://mirror.example:81/pwned")),
                new SettingCase(
                        "captcha.turnstileUrl",
                        "VESTIBULE_CAPTCHA_TURNSTILE_URL",
                        URI.create("https://challenges.cloudflare.com/turnstile/v0/siteverify"),
                        "http://mirror.example:81/verify",
                        URI.create("http://mirror.example:81/verify")),
                new SettingCase(
                        "captcha.hcaptchaUrl",
                        "VESTIBULE_CAPTCHA_HCAPTCHA_URL",
                        URI.create("https://api.hcaptcha.com/siteverify"),
                        "http://mirror.example:81/verify",
                        URI.create("http://mirror.example:81/verify")),
                new SettingCase(
                        "captcha.disposableDomainsFile",
                        "VESTIBULE_CAPTCHA_DISPOSABLE_DOMAINS_FILE",
                        none,
                        Path.of("pom.xml").toAbsolutePath().toString(),
                        Optional.of(Path.of("pom.xml").toAbsolutePath())),
                time("imports.maxSeconds", "VESTIBULE_IMPORTS_MAX_SECONDS", "imports.limit", 14_400),
                // the one kind of name that the others do not show: a digit before the next word
                new SettingCase(
                        "imports.argon2Memory",
                        "VESTIBULE_IMPORTS_ARGON2_MEMORY",
                        "imports.argon2MemoryKibibytes",
                        131_072,
                        "131073",
                        131_073),
                time("exports.maxSeconds", "VESTIBULE_EXPORTS_MAX_SECONDS", "exports.limit", 14_400),
                time("statistics.flushSeconds", "VESTIBULE_STATISTICS_FLUSH_SECONDS", "statistics.interval", 5));
    }

    private static SettingCase derived(Setting setting) {
        var byDefault = setting.example();
        if (byDefault.equals("true") || byDefault.equals("false")) {
            boolean set = byDefault.equals("true");
            return derived(setting, set, Boolean.toString(!set), !set);
        }
        int number = Integer.parseInt(byDefault);
        int other = setting.allowed().matches("\\d+ to " + number + "\\b.*") ? number - 1 : number + 1;
        var unit = setting.allowed().replaceAll("^\\d+ to \\d+ ?", "");
        return switch (unit) {
            case "seconds" -> derived(setting, Duration.ofSeconds(number), "" + other, Duration.ofSeconds(other));
            case "milliseconds" -> derived(setting, Duration.ofMillis(number), "" + other, Duration.ofMillis(other));
            default -> derived(setting, number, "" + other, other);
        };
    }

    private static SettingCase derived(Setting setting, Object byDefault, String text, Object value) {
        return new SettingCase(setting.name(), setting.variable(), component(setting), byDefault, text, value);
    }

    /**
     * The component whose name corresponds to the setting's: pollInterval for pollSeconds, memoryKibibytes for memory.
     */
    private static String component(Setting setting) {
        var components = Loading.components();
        if (components.containsKey(setting.name())) {
            return setting.name();
        }
        var names = Loading.declared().stream().map(Setting::name).toList();
        var withoutUnit = setting.name().replaceFirst("(?:Seconds|Millis)$", "");
        var found = components.keySet().stream()
                .filter(component -> component.startsWith(withoutUnit) && !names.contains(component))
                .toList();
        assertThat(found).as("what %s reaches", setting.name()).hasSize(1);
        return found.get(0);
    }

    private static SettingCase time(String name, String variable, String component, int seconds) {
        return new SettingCase(name, variable, component, Duration.ofSeconds(seconds), "299", Duration.ofSeconds(299));
    }
}
