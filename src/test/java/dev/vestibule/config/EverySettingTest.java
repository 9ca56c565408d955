package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.config.DashboardSettings.Registration;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each setting by itself: its default, its variable, and the one component that it reaches. */
class EverySettingTest {
    private static final Path NOWHERE = Path.of("/nowhere");
    private static final String LONG = "0123456789abcdef0123456789abcdef";
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    /** A setting, where it lands, what it is by default, and another value for it as text and as it arrives. */
    record Case(String name, String variable, String component, Object byDefault, String text, Object value) {
        Case(String name, String variable, Object byDefault, String text, Object value) {
            this(name, variable, name, byDefault, text, value);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        Object none = Optional.empty();
        return Stream.of(
                new Case(
                        "publicUrl",
                        "VESTIBULE_PUBLIC_URL",
                        URI.create("http://localhost:8080"),
                        "https://a.example/auth",
                        URI.create("https://a.example/auth")),
                new Case("dataDir", "VESTIBULE_DATA_DIR", NOWHERE.resolve("data"), "/srv/auth", Path.of("/srv/auth")),
                new Case("secret", "VESTIBULE_SECRET", none, LONG, Optional.of(new Secret(LONG))),
                new Case("previousSecrets", "VESTIBULE_PREVIOUS_SECRETS", List.of(), LONG, List.of(new Secret(LONG))),
                new Case("http.host", "VESTIBULE_HTTP_HOST", "0.0.0.0", "::1", "::1"),
                new Case("http.port", "VESTIBULE_HTTP_PORT", 8080, "81", 81),
                new Case(
                        "http.trustedProxies",
                        "VESTIBULE_HTTP_TRUSTED_PROXIES",
                        List.of(),
                        "10.0.0.0/8",
                        List.of(AddressRange.parse("10.0.0.0/8"))),
                new Case("http.countryHeader", "VESTIBULE_HTTP_COUNTRY_HEADER", none, "X-Land", Optional.of("X-Land")),
                new Case("http.maxBodyBytes", "VESTIBULE_HTTP_MAX_BODY_BYTES", 65536, "1024", 1024),
                time("http.idleTimeoutSeconds", "VESTIBULE_HTTP_IDLE_TIMEOUT_SECONDS", "http.idleTimeout", 60),
                time("http.requestSeconds", "VESTIBULE_HTTP_REQUEST_SECONDS", "http.requestLimit", 30),
                new Case("http.maxConnections", "VESTIBULE_HTTP_MAX_CONNECTIONS", 20000, "7", 7),
                time("http.shutdownSeconds", "VESTIBULE_HTTP_SHUTDOWN_SECONDS", "http.shutdownLimit", 30),
                new Case("http.eventLoops", "VESTIBULE_HTTP_EVENT_LOOPS", CORES, "77", 77),
                new Case("management.host", "VESTIBULE_MANAGEMENT_HOST", "127.0.0.1", "0.0.0.0", "0.0.0.0"),
                new Case("management.port", "VESTIBULE_MANAGEMENT_PORT", 9090, "91", 91),
                new Case(
                        "database.url",
                        "VESTIBULE_DATABASE_URL",
                        none,
                        "postgresql://u:p@db/auth",
                        Optional.of(DatabaseAddress.parse("postgresql://u:p@db/auth"))),
                new Case("database.poolSize", "VESTIBULE_DATABASE_POOL_SIZE", 16, "9", 9),
                new Case("database.poolQueue", "VESTIBULE_DATABASE_POOL_QUEUE", 4096, "9", 9),
                millis("database.poolWaitMillis", "VESTIBULE_DATABASE_POOL_WAIT_MILLIS", "database.poolWait", 3000),
                new Case("database.pipelining", "VESTIBULE_DATABASE_PIPELINING", 256, "9", 9),
                millis(
                        "database.connectTimeoutMillis",
                        "VESTIBULE_DATABASE_CONNECT_TIMEOUT_MILLIS",
                        "database.connectTimeout",
                        5000),
                millis(
                        "database.statementTimeoutMillis",
                        "VESTIBULE_DATABASE_STATEMENT_TIMEOUT_MILLIS",
                        "database.statementTimeout",
                        10000),
                new Case(
                        "geo.databaseFile",
                        "VESTIBULE_GEO_DATABASE_FILE",
                        none,
                        Path.of("pom.xml").toAbsolutePath().toString(),
                        Optional.of(Path.of("pom.xml").toAbsolutePath())),
                new Case(
                        "smtp.url",
                        "VESTIBULE_SMTP_URL",
                        none,
                        "smtps://u:p@mail_host",
                        Optional.of(SmtpAddress.parse("smtps://u:p@mail_host:465"))),
                new Case("mail.from", "VESTIBULE_MAIL_FROM", "no-reply@localhost", "a@b.example", "a@b.example"),
                new Case(
                        "mail.templates",
                        "VESTIBULE_MAIL_TEMPLATES",
                        none,
                        Path.of("src").toAbsolutePath().toString(),
                        Optional.of(Path.of("src").toAbsolutePath())),
                new Case("mail.inFlight", "VESTIBULE_MAIL_IN_FLIGHT", 8, "9", 9),
                time("mail.pollSeconds", "VESTIBULE_MAIL_POLL_SECONDS", "mail.pollInterval", 5),
                time("mail.attemptSeconds", "VESTIBULE_MAIL_ATTEMPT_SECONDS", "mail.attemptLimit", 60),
                time("mail.retrySeconds", "VESTIBULE_MAIL_RETRY_SECONDS", "mail.firstRetry", 5),
                time("mail.longestRetrySeconds", "VESTIBULE_MAIL_LONGEST_RETRY_SECONDS", "mail.longestRetry", 600),
                time("mail.giveUpSeconds", "VESTIBULE_MAIL_GIVE_UP_SECONDS", "mail.giveUpAfter", 86_400),
                new Case(
                        "dashboard.registration",
                        "VESTIBULE_DASHBOARD_REGISTRATION",
                        Registration.FIRST,
                        "closed",
                        Registration.CLOSED),
                new Case(
                        "dashboard.email",
                        "VESTIBULE_DASHBOARD_EMAIL",
                        none,
                        "a@b.example",
                        Optional.of("a@b.example")),
                new Case(
                        "dashboard.password",
                        "VESTIBULE_DASHBOARD_PASSWORD",
                        none,
                        "long enough",
                        Optional.of(new Secret("long enough"))),
                new Case(
                        "passwords.memory",
                        "VESTIBULE_PASSWORDS_MEMORY",
                        "passwords.memoryKibibytes",
                        19456,
                        "2048",
                        2048),
                new Case("passwords.iterations", "VESTIBULE_PASSWORDS_ITERATIONS", 2, "3", 3),
                new Case("passwords.parallelism", "VESTIBULE_PASSWORDS_PARALLELISM", 1, "4", 4),
                new Case("passwords.threads", "VESTIBULE_PASSWORDS_THREADS", CORES, "77", 77),
                new Case("passwords.queue", "VESTIBULE_PASSWORDS_QUEUE", 256, "9", 9),
                time(
                        "sessions.refreshGraceSeconds",
                        "VESTIBULE_SESSIONS_REFRESH_GRACE_SECONDS",
                        "sessions.refreshGrace",
                        10),
                time("sessions.sweepSeconds", "VESTIBULE_SESSIONS_SWEEP_SECONDS", "sessions.sweepInterval", 60),
                new Case("tokens.signingKeyDays", "VESTIBULE_TOKENS_SIGNING_KEY_DAYS", 90, "0", 0),
                new Case("tokens.cacheSize", "VESTIBULE_TOKENS_CACHE_SIZE", 100000, "0", 0),
                new Case("projects.cacheSize", "VESTIBULE_PROJECTS_CACHE_SIZE", 10000, "9", 9),
                new Case(
                        "projects.brandingCacheBytes",
                        "VESTIBULE_PROJECTS_BRANDING_CACHE_BYTES",
                        33554432,
                        "1048576",
                        1048576),
                new Case("projects.maxKeys", "VESTIBULE_PROJECTS_MAX_KEYS", 50, "9", 9),
                time("projects.keyUseSeconds", "VESTIBULE_PROJECTS_KEY_USE_SECONDS", "projects.keyUseInterval", 10),
                time("projects.deletionSeconds", "VESTIBULE_PROJECTS_DELETION_SECONDS", "projects.deletionInterval", 5),
                new Case("users.totalsCacheSize", "VESTIBULE_USERS_TOTALS_CACHE_SIZE", 10000, "9", 9),
                new Case("limits.enabled", "VESTIBULE_LIMITS_ENABLED", true, "false", false),
                new Case("limits.signupPerMinute", "VESTIBULE_LIMITS_SIGNUP_PER_MINUTE", 60, "9", 9),
                new Case("limits.signinPerMinute", "VESTIBULE_LIMITS_SIGNIN_PER_MINUTE", 60, "9", 9),
                new Case("limits.refreshPerMinute", "VESTIBULE_LIMITS_REFRESH_PER_MINUTE", 120, "9", 9),
                new Case("limits.codesPerMinute", "VESTIBULE_LIMITS_CODES_PER_MINUTE", 20, "9", 9),
                new Case(
                        "limits.dashboardRegisterPerMinute",
                        "VESTIBULE_LIMITS_DASHBOARD_REGISTER_PER_MINUTE",
                        20,
                        "9",
                        9),
                new Case("limits.dashboardLoginPerMinute", "VESTIBULE_LIMITS_DASHBOARD_LOGIN_PER_MINUTE", 30, "9", 9),
                new Case(
                        "limits.dashboardMembersPerMinute",
                        "VESTIBULE_LIMITS_DASHBOARD_MEMBERS_PER_MINUTE",
                        20,
                        "9",
                        9),
                new Case("limits.failedSignins", "VESTIBULE_LIMITS_FAILED_SIGNINS", 10, "9", 9),
                time(
                        "limits.failedSigninWindowSeconds",
                        "VESTIBULE_LIMITS_FAILED_SIGNIN_WINDOW_SECONDS",
                        "limits.failedSigninWindow",
                        900),
                time("limits.lockSeconds", "VESTIBULE_LIMITS_LOCK_SECONDS", "limits.lockTime", 900),
                new Case("limits.maxTracked", "VESTIBULE_LIMITS_MAX_TRACKED", 100000, "1000", 1000),
                new Case("imports.perProject", "VESTIBULE_IMPORTS_PER_PROJECT", 2, "9", 9),
                new Case("imports.total", "VESTIBULE_IMPORTS_TOTAL", 4, "9", 9),
                new Case("imports.lineBytes", "VESTIBULE_IMPORTS_LINE_BYTES", 65_536, "9999", 9999),
                new Case("imports.resultBytes", "VESTIBULE_IMPORTS_RESULT_BYTES", 16_777_216, "9999", 9999));
    }

    private static Case time(String name, String variable, String component, int seconds) {
        return new Case(name, variable, component, Duration.ofSeconds(seconds), "299", Duration.ofSeconds(299));
    }

    private static Case millis(String name, String variable, String component, int millis) {
        return new Case(name, variable, component, Duration.ofMillis(millis), "299", Duration.ofMillis(299));
    }

    @Test
    void everyDeclaredSettingIsTestedHere() {
        assertThat(cases().map(Case::name))
                .containsExactlyElementsOf(
                        Loading.declared().stream().map(Setting::name).toList());
        assertThat(cases().map(Case::component))
                .containsExactlyInAnyOrderElementsOf(
                        components(Loading.in(NOWHERE).settings(), "").keySet());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void itsDefaultIsAsDocumented(Case it) {
        assertThat(components(Loading.in(NOWHERE).settings(), "")).containsEntry(it.component, it.byDefault);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void itsVariableReachesItAndNothingElse(Case it) {
        assertThat(changesBy(Loading.in(NOWHERE).environment(withCompanions(it))))
                .containsEntry(it.component, it.value)
                .satisfies(changes -> assertThat(changes.keySet()).isSubsetOf(expected(it)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void itsNameInAFileReachesTheSame(Case it, @TempDir Path own) {
        String key = it.name.substring(it.name.indexOf('.') + 1);
        String entry = key + ": " + it.text;
        Loading loading = Loading.in(own);
        if (it.name.contains(".")) {
            loading.file(it.name.substring(0, it.name.indexOf('.')) + ":", "  " + entry);
        } else {
            loading.file(entry);
        }
        String[] companions = Stream.of(withCompanions(it))
                .filter(variable -> !variable.startsWith(it.variable + "="))
                .toArray(String[]::new);

        assertThat(components(loading.environment(companions).settings(), "")).containsEntry(it.component, it.value);
    }

    static Stream<Setting> numbers() {
        return Loading.declared().stream().filter(setting -> bounds(setting).find());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aNumberHasTheBoundsThatItTellsOf(Setting setting) {
        Matcher bounds = bounds(setting);
        assertThat(bounds.find()).isTrue();
        int least = Integer.parseInt(bounds.group(1));
        int most = Integer.parseInt(bounds.group(2));

        assertThat(faults(setting, least)).isEmpty();
        assertThat(faults(setting, most)).isEmpty();
        assertThat(faults(setting, least - 1L))
                .containsExactly("%s (%s): must be %s, not \"%d\""
                        .formatted(setting.name(), setting.variable(), setting.allowed(), least - 1));
        assertThat(faults(setting, most + 1L)).hasSize(1);
        assertThat(faults(setting, Long.MAX_VALUE)).hasSize(1);
    }

    @Test
    void everySettingThatShouldHaveBoundsHasThem() {
        assertThat(cases().filter(it -> it.byDefault instanceof Integer || it.byDefault instanceof Duration))
                .map(Case::name)
                .containsExactlyElementsOf(numbers().map(Setting::name).toList());
    }

    private static List<String> faults(Setting setting, long number) {
        return Loading.in(NOWHERE)
                .environment(setting.variable() + "=" + number)
                .faults();
    }

    private static Matcher bounds(Setting setting) {
        return Pattern.compile("^(\\d+) to (\\d++)(?! characters)").matcher(setting.allowed());
    }

    /** Settings that are refused alone bring along what they need. */
    private static String[] withCompanions(Case it) {
        String own = it.variable + "=" + it.text;
        return switch (it.name) {
            case "database.url" -> new String[] {own, "VESTIBULE_SECRET=" + LONG};
            case "dashboard.email" -> new String[] {own, "VESTIBULE_DASHBOARD_PASSWORD=long enough"};
            case "dashboard.password" -> new String[] {own, "VESTIBULE_DASHBOARD_EMAIL=a@b.example"};
            default -> new String[] {own};
        };
    }

    private static List<String> expected(Case it) {
        return switch (it.name) {
            case "database.url" -> List.of(it.component, "secret");
            case "dashboard.email", "dashboard.password" -> List.of("dashboard.email", "dashboard.password");
            case "publicUrl" -> List.of(it.component, "mail.from");
            case "http.port" -> List.of(it.component, "publicUrl");
            default -> List.of(it.component);
        };
    }

    private static Map<String, Object> changesBy(Loading loading) {
        Map<String, Object> changed = components(loading.settings(), "");
        components(Loading.in(NOWHERE).settings(), "").forEach(changed::remove);
        return changed;
    }

    /** Every leaf of the tree of settings by its path. */
    private static Map<String, Object> components(Record settings, String prefix) {
        Map<String, Object> leaves = new TreeMap<>();
        for (var component : settings.getClass().getRecordComponents()) {
            try {
                Object value = component.getAccessor().invoke(settings);
                String path = prefix + component.getName();
                if (value instanceof Record nested) {
                    leaves.putAll(components(nested, path + "."));
                } else {
                    leaves.put(path, value);
                }
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
        return leaves;
    }
}
