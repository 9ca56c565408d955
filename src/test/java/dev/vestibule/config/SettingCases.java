package dev.vestibule.config;

import com.sun.management.OperatingSystemMXBean;
import dev.vestibule.config.DashboardSettings.Registration;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A case for each setting, in the order in which they are declared. */
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

    static Stream<SettingCase> cases() {
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
                new SettingCase("http.port", "VESTIBULE_HTTP_PORT", 8080, "81", 81),
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
                new SettingCase("http.maxBodyBytes", "VESTIBULE_HTTP_MAX_BODY_BYTES", 65536, "1024", 1024),
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
                time("http.headSeconds", "VESTIBULE_HTTP_HEAD_SECONDS", "http.headLimit", 10),
                time("http.bodySeconds", "VESTIBULE_HTTP_BODY_SECONDS", "http.bodyLimit", 20),
                time("http.idleTimeoutSeconds", "VESTIBULE_HTTP_IDLE_TIMEOUT_SECONDS", "http.idleTimeout", 60),
                time("http.requestSeconds", "VESTIBULE_HTTP_REQUEST_SECONDS", "http.requestLimit", 30),
                new SettingCase("http.maxConnections", "VESTIBULE_HTTP_MAX_CONNECTIONS", CONNECTIONS, "7", 7),
                new SettingCase(
                        "http.maxConnectionsPerNetwork",
                        "VESTIBULE_HTTP_MAX_CONNECTIONS_PER_NETWORK",
                        CONNECTIONS / 8,
                        "7",
                        7),
                new SettingCase(
                        "http.maxSilentConnections", "VESTIBULE_HTTP_MAX_SILENT_CONNECTIONS", CONNECTIONS / 4, "7", 7),
                time("http.shutdownSeconds", "VESTIBULE_HTTP_SHUTDOWN_SECONDS", "http.shutdownLimit", 30),
                new SettingCase("http.eventLoops", "VESTIBULE_HTTP_EVENT_LOOPS", CORES, "77", 77),
                new SettingCase("management.host", "VESTIBULE_MANAGEMENT_HOST", "127.0.0.1", "0.0.0.0", "0.0.0.0"),
                new SettingCase("management.port", "VESTIBULE_MANAGEMENT_PORT", 9090, "91", 91),
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
                new SettingCase("log.requests", "VESTIBULE_LOG_REQUESTS", false, "true", true),
                millis("log.slowMillis", "VESTIBULE_LOG_SLOW_MILLIS", "log.slow", 1000),
                new SettingCase("log.queue", "VESTIBULE_LOG_QUEUE", 8192, "77", 77),
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
                new SettingCase("database.poolSize", "VESTIBULE_DATABASE_POOL_SIZE", 16, "9", 9),
                new SettingCase("database.poolQueue", "VESTIBULE_DATABASE_POOL_QUEUE", 4096, "9", 9),
                millis("database.poolWaitMillis", "VESTIBULE_DATABASE_POOL_WAIT_MILLIS", "database.poolWait", 3000),
                new SettingCase("database.pipelining", "VESTIBULE_DATABASE_PIPELINING", 256, "9", 9),
                new SettingCase("database.together", "VESTIBULE_DATABASE_TOGETHER", 128, "9", 9),
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
                new SettingCase("mail.inFlight", "VESTIBULE_MAIL_IN_FLIGHT", 8, "9", 9),
                time("mail.pollSeconds", "VESTIBULE_MAIL_POLL_SECONDS", "mail.pollInterval", 5),
                time("mail.attemptSeconds", "VESTIBULE_MAIL_ATTEMPT_SECONDS", "mail.attemptLimit", 60),
                time("mail.retrySeconds", "VESTIBULE_MAIL_RETRY_SECONDS", "mail.firstRetry", 5),
                time("mail.longestRetrySeconds", "VESTIBULE_MAIL_LONGEST_RETRY_SECONDS", "mail.longestRetry", 600),
                time("mail.giveUpSeconds", "VESTIBULE_MAIL_GIVE_UP_SECONDS", "mail.giveUpAfter", 86_400),
                new SettingCase("mail.filesKept", "VESTIBULE_MAIL_FILES_KEPT", 100, "7", 7),
                new SettingCase("mail.perAddressPerDay", "VESTIBULE_MAIL_PER_ADDRESS_PER_DAY", 20, "7", 7),
                new SettingCase("mail.perNetworkPerDay", "VESTIBULE_MAIL_PER_NETWORK_PER_DAY", 500, "7", 7),
                new SettingCase("mail.perProjectPerDay", "VESTIBULE_MAIL_PER_PROJECT_PER_DAY", 50_000, "7", 7),
                new SettingCase(
                        "sms.url",
                        "VESTIBULE_SMS_URL",
                        none,
                        "http://sms.internal:8081/send",
                        Optional.of(URI.create("http://sms.internal:8081/send"))),
                new SettingCase(
                        "sms.secret", "VESTIBULE_SMS_SECRET", none, SMS_SECRET, Optional.of(new Secret(SMS_SECRET))),
                new SettingCase("sms.countries", "VESTIBULE_SMS_COUNTRIES", List.of(), "NO, KR", List.of("NO", "KR")),
                time("sms.timeoutSeconds", "VESTIBULE_SMS_TIMEOUT_SECONDS", "sms.timeout", 10),
                new SettingCase("sms.inFlight", "VESTIBULE_SMS_IN_FLIGHT", 8, "9", 9),
                time("sms.pollSeconds", "VESTIBULE_SMS_POLL_SECONDS", "sms.pollInterval", 1),
                new SettingCase("sms.perNumberPerDay", "VESTIBULE_SMS_PER_NUMBER_PER_DAY", 10, "7", 7),
                new SettingCase("sms.perNetworkPerDay", "VESTIBULE_SMS_PER_NETWORK_PER_DAY", 100, "7", 7),
                new SettingCase("sms.perProjectPerDay", "VESTIBULE_SMS_PER_PROJECT_PER_DAY", 1000, "7", 7),
                new SettingCase(
                        "oauth.catalogueFile",
                        "VESTIBULE_OAUTH_CATALOGUE_FILE",
                        none,
                        Path.of("pom.xml").toAbsolutePath().toString(),
                        Optional.of(Path.of("pom.xml").toAbsolutePath())),
                new SettingCase(
                        "oauth.allowPrivateIssuers", "VESTIBULE_OAUTH_ALLOW_PRIVATE_ISSUERS", false, "true", true),
                new SettingCase(
                        "oauth.timeoutSeconds",
                        "VESTIBULE_OAUTH_TIMEOUT_SECONDS",
                        "oauth.timeout",
                        Duration.ofSeconds(10),
                        "9",
                        Duration.ofSeconds(9)),
                new SettingCase("oauth.cacheSize", "VESTIBULE_OAUTH_CACHE_SIZE", 1000, "9", 9),
                time("oauth.metadataSeconds", "VESTIBULE_OAUTH_METADATA_SECONDS", "oauth.metadataLifetime", 3600),
                time("oauth.leewaySeconds", "VESTIBULE_OAUTH_LEEWAY_SECONDS", "oauth.leeway", 60),
                new SettingCase("oauth.maxOpen", "VESTIBULE_OAUTH_MAX_OPEN", 100_000, "9", 9),
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
                        "dashboard.allowedOrigins",
                        "VESTIBULE_DASHBOARD_ALLOWED_ORIGINS",
                        List.of(),
                        "HTTPS://A.example:443",
                        List.of("https://a.example")),
                new SettingCase("dashboard.invitationDays", "VESTIBULE_DASHBOARD_INVITATION_DAYS", 7, "9", 9),
                new SettingCase(
                        "dashboard.invitationUrl",
                        "VESTIBULE_DASHBOARD_INVITATION_URL",
                        none,
                        "https://a.example/join",
                        Optional.of(URI.create("https://a.example/join"))),
                new SettingCase("dashboard.maxInvitations", "VESTIBULE_DASHBOARD_MAX_INVITATIONS", 100, "9", 9),
                new SettingCase("dashboard.maxProjects", "VESTIBULE_DASHBOARD_MAX_PROJECTS", 100, "9", 9),
                new SettingCase(
                        "passwords.memory",
                        "VESTIBULE_PASSWORDS_MEMORY",
                        "passwords.memoryKibibytes",
                        19456,
                        "2048",
                        2048),
                new SettingCase("passwords.iterations", "VESTIBULE_PASSWORDS_ITERATIONS", 2, "3", 3),
                new SettingCase("passwords.parallelism", "VESTIBULE_PASSWORDS_PARALLELISM", 1, "4", 4),
                new SettingCase("passwords.threads", "VESTIBULE_PASSWORDS_THREADS", CORES, "77", 77),
                new SettingCase("passwords.queue", "VESTIBULE_PASSWORDS_QUEUE", 256, "9", 9),
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
                new SettingCase("passwords.breachCheck", "VESTIBULE_PASSWORDS_BREACH_CHECK", false, "true", true),
                new SettingCase(
                        "passwords.breachUrl",
                        "VESTIBULE_PASSWORDS_BREACH_URL",
                        URI.create("https://api.pwnedpasswords.com"),
                        "http://mirror.example:81/pwned",
                        URI.create("http://mirror.example:81/pwned")),
                millis(
                        "passwords.breachTimeoutMillis",
                        "VESTIBULE_PASSWORDS_BREACH_TIMEOUT_MILLIS",
                        "passwords.breachTimeout",
                        1000),
                time(
                        "sessions.refreshGraceSeconds",
                        "VESTIBULE_SESSIONS_REFRESH_GRACE_SECONDS",
                        "sessions.refreshGrace",
                        10),
                time("sessions.sweepSeconds", "VESTIBULE_SESSIONS_SWEEP_SECONDS", "sessions.sweepInterval", 60),
                new SettingCase("tokens.signingKeyDays", "VESTIBULE_TOKENS_SIGNING_KEY_DAYS", 90, "0", 0),
                new SettingCase("tokens.maxSigningKeys", "VESTIBULE_TOKENS_MAX_SIGNING_KEYS", 10, "9", 9),
                new SettingCase("tokens.cacheSize", "VESTIBULE_TOKENS_CACHE_SIZE", 100000, "0", 0),
                new SettingCase("projects.cacheSize", "VESTIBULE_PROJECTS_CACHE_SIZE", 10000, "9", 9),
                new SettingCase(
                        "projects.brandingCacheBytes",
                        "VESTIBULE_PROJECTS_BRANDING_CACHE_BYTES",
                        33554432,
                        "1048576",
                        1048576),
                new SettingCase("projects.maxKeys", "VESTIBULE_PROJECTS_MAX_KEYS", 50, "9", 9),
                time("projects.keyUseSeconds", "VESTIBULE_PROJECTS_KEY_USE_SECONDS", "projects.keyUseInterval", 10),
                time("projects.deletionSeconds", "VESTIBULE_PROJECTS_DELETION_SECONDS", "projects.deletionInterval", 5),
                new SettingCase("users.totalsCacheSize", "VESTIBULE_USERS_TOTALS_CACHE_SIZE", 10000, "9", 9),
                new SettingCase("limits.enabled", "VESTIBULE_LIMITS_ENABLED", true, "false", false),
                new SettingCase("limits.signupPerMinute", "VESTIBULE_LIMITS_SIGNUP_PER_MINUTE", 60, "9", 9),
                new SettingCase("limits.signinPerMinute", "VESTIBULE_LIMITS_SIGNIN_PER_MINUTE", 60, "9", 9),
                new SettingCase("limits.refreshPerMinute", "VESTIBULE_LIMITS_REFRESH_PER_MINUTE", 120, "9", 9),
                new SettingCase("limits.codesPerMinute", "VESTIBULE_LIMITS_CODES_PER_MINUTE", 20, "9", 9),
                new SettingCase("limits.oauthPerMinute", "VESTIBULE_LIMITS_OAUTH_PER_MINUTE", 120, "9", 9),
                new SettingCase(
                        "limits.oauthServerPerMinute", "VESTIBULE_LIMITS_OAUTH_SERVER_PER_MINUTE", 6000, "9", 9),
                new SettingCase("limits.oauthPollPerMinute", "VESTIBULE_LIMITS_OAUTH_POLL_PER_MINUTE", 600, "9", 9),
                new SettingCase(
                        "limits.dashboardRegisterPerMinute",
                        "VESTIBULE_LIMITS_DASHBOARD_REGISTER_PER_MINUTE",
                        20,
                        "9",
                        9),
                new SettingCase(
                        "limits.dashboardLoginPerMinute", "VESTIBULE_LIMITS_DASHBOARD_LOGIN_PER_MINUTE", 30, "9", 9),
                new SettingCase(
                        "limits.dashboardMembersPerMinute",
                        "VESTIBULE_LIMITS_DASHBOARD_MEMBERS_PER_MINUTE",
                        20,
                        "9",
                        9),
                new SettingCase("limits.invitationsPerDay", "VESTIBULE_LIMITS_INVITATIONS_PER_DAY", 100, "9", 9),
                new SettingCase(
                        "limits.invitationsToOneAddressPerDay",
                        "VESTIBULE_LIMITS_INVITATIONS_TO_ONE_ADDRESS_PER_DAY",
                        10,
                        "9",
                        9),
                new SettingCase(
                        "limits.invitationsPerAddressPerDay",
                        "VESTIBULE_LIMITS_INVITATIONS_PER_ADDRESS_PER_DAY",
                        50,
                        "9",
                        9),
                new SettingCase(
                        "limits.badCredentialsPerMinute", "VESTIBULE_LIMITS_BAD_CREDENTIALS_PER_MINUTE", 600, "9", 9),
                new SettingCase(
                        "limits.signingKeyRotationsPerMinute",
                        "VESTIBULE_LIMITS_SIGNING_KEY_ROTATIONS_PER_MINUTE",
                        10,
                        "9",
                        9),
                new SettingCase("limits.brandingPerMinute", "VESTIBULE_LIMITS_BRANDING_PER_MINUTE", 120, "9", 9),
                new SettingCase("limits.pagesPerMinute", "VESTIBULE_LIMITS_PAGES_PER_MINUTE", 600, "9", 9),
                new SettingCase("limits.failedSignins", "VESTIBULE_LIMITS_FAILED_SIGNINS", 10, "9", 9),
                time(
                        "limits.failedSigninWindowSeconds",
                        "VESTIBULE_LIMITS_FAILED_SIGNIN_WINDOW_SECONDS",
                        "limits.failedSigninWindow",
                        900),
                time("limits.lockSeconds", "VESTIBULE_LIMITS_LOCK_SECONDS", "limits.lockTime", 900),
                new SettingCase(
                        "limits.knownNetworkSeconds",
                        "VESTIBULE_LIMITS_KNOWN_NETWORK_SECONDS",
                        "limits.knownNetworkTime",
                        Duration.ofDays(30),
                        "9",
                        Duration.ofSeconds(9)),
                new SettingCase("limits.knownNetworks", "VESTIBULE_LIMITS_KNOWN_NETWORKS", 20, "9", 9),
                new SettingCase("limits.wrongCodesPerDay", "VESTIBULE_LIMITS_WRONG_CODES_PER_DAY", 20, "9", 9),
                new SettingCase("limits.wrongCodesPerHour", "VESTIBULE_LIMITS_WRONG_CODES_PER_HOUR", 1000, "9", 9),
                new SettingCase("limits.maxTracked", "VESTIBULE_LIMITS_MAX_TRACKED", 100000, "1000", 1000),
                new SettingCase("imports.perProject", "VESTIBULE_IMPORTS_PER_PROJECT", 2, "9", 9),
                new SettingCase("imports.total", "VESTIBULE_IMPORTS_TOTAL", 4, "9", 9),
                new SettingCase("imports.lineBytes", "VESTIBULE_IMPORTS_LINE_BYTES", 65_536, "9999", 9999),
                time("imports.lineSeconds", "VESTIBULE_IMPORTS_LINE_SECONDS", "imports.lineTime", 20),
                time("imports.maxSeconds", "VESTIBULE_IMPORTS_MAX_SECONDS", "imports.limit", 14_400),
                new SettingCase("imports.resultBytes", "VESTIBULE_IMPORTS_RESULT_BYTES", 16_777_216, "9999", 9999),
                new SettingCase(
                        "imports.argon2Memory",
                        "VESTIBULE_IMPORTS_ARGON2_MEMORY",
                        "imports.argon2MemoryKibibytes",
                        131_072,
                        "9999",
                        9999),
                new SettingCase("imports.argon2Work", "VESTIBULE_IMPORTS_ARGON2_WORK", 393_216, "9999", 9999),
                new SettingCase("imports.argon2Parallelism", "VESTIBULE_IMPORTS_ARGON2_PARALLELISM", 8, "9", 9),
                new SettingCase("imports.bcryptCost", "VESTIBULE_IMPORTS_BCRYPT_COST", 13, "9", 9),
                new SettingCase(
                        "imports.scryptWork", "VESTIBULE_IMPORTS_SCRYPT_WORK", 134_217_728, "9999999", 9_999_999),
                new SettingCase(
                        "imports.pbkdf2Iterations", "VESTIBULE_IMPORTS_PBKDF2_ITERATIONS", 1_500_000, "9999", 9999),
                new SettingCase("exports.perProject", "VESTIBULE_EXPORTS_PER_PROJECT", 1, "9", 9),
                new SettingCase("exports.total", "VESTIBULE_EXPORTS_TOTAL", 3, "9", 9),
                new SettingCase("exports.waitingBytes", "VESTIBULE_EXPORTS_WAITING_BYTES", 1_048_576, "9999", 9999),
                time("exports.stallSeconds", "VESTIBULE_EXPORTS_STALL_SECONDS", "exports.stallTime", 30),
                time("exports.maxSeconds", "VESTIBULE_EXPORTS_MAX_SECONDS", "exports.limit", 14_400),
                new SettingCase("audit.enabled", "VESTIBULE_AUDIT_ENABLED", true, "false", false),
                new SettingCase("audit.refreshes", "VESTIBULE_AUDIT_REFRESHES", false, "true", true),
                new SettingCase("audit.retentionDays", "VESTIBULE_AUDIT_RETENTION_DAYS", 365, "99", 99),
                new SettingCase("audit.noteQueue", "VESTIBULE_AUDIT_NOTE_QUEUE", 10_000, "999", 999),
                millis("audit.noteMillis", "VESTIBULE_AUDIT_NOTE_MILLIS", "audit.noteInterval", 250),
                new SettingCase("audit.refusedPerDay", "VESTIBULE_AUDIT_REFUSED_PER_DAY", 100_000, "777", 777),
                time("statistics.flushSeconds", "VESTIBULE_STATISTICS_FLUSH_SECONDS", "statistics.interval", 5),
                new SettingCase("statistics.retentionDays", "VESTIBULE_STATISTICS_RETENTION_DAYS", 35, "99", 99),
                new SettingCase("statistics.projects", "VESTIBULE_STATISTICS_PROJECTS", 10_000, "999", 999),
                new SettingCase(
                        "webhooks.allowPrivateTargets",
                        "VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS",
                        false,
                        "true",
                        true),
                new SettingCase("webhooks.maxEndpoints", "VESTIBULE_WEBHOOKS_MAX_ENDPOINTS", 100, "9", 9),
                time("webhooks.timeoutSeconds", "VESTIBULE_WEBHOOKS_TIMEOUT_SECONDS", "webhooks.timeout", 15),
                new SettingCase("webhooks.inFlight", "VESTIBULE_WEBHOOKS_IN_FLIGHT", 500, "9", 9),
                new SettingCase(
                        "webhooks.inFlightPerEndpoint", "VESTIBULE_WEBHOOKS_IN_FLIGHT_PER_ENDPOINT", 20, "9", 9),
                new SettingCase("webhooks.claimAhead", "VESTIBULE_WEBHOOKS_CLAIM_AHEAD", 5000, "9", 9),
                time("webhooks.pollSeconds", "VESTIBULE_WEBHOOKS_POLL_SECONDS", "webhooks.pollInterval", 1),
                new SettingCase("webhooks.disableDays", "VESTIBULE_WEBHOOKS_DISABLE_DAYS", 5, "9", 9),
                new SettingCase("webhooks.retentionDays", "VESTIBULE_WEBHOOKS_RETENTION_DAYS", 30, "9", 9));
    }

    private static SettingCase time(String name, String variable, String component, int seconds) {
        return new SettingCase(name, variable, component, Duration.ofSeconds(seconds), "299", Duration.ofSeconds(299));
    }

    private static SettingCase millis(String name, String variable, String component, int millis) {
        return new SettingCase(name, variable, component, Duration.ofMillis(millis), "299", Duration.ofMillis(299));
    }
}
