package dev.vestibule.config;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All settings, checked and complete. */
public record Settings(
        URI publicUrl,
        Path dataDir,
        Optional<Secret> secret,
        List<Secret> previousSecrets,
        HttpSettings http,
        ManagementSettings management,
        LogSettings log,
        DatabaseSettings database,
        GeoSettings geo,
        SmtpSettings smtp,
        MailSettings mail,
        SmsSettings sms,
        OauthSettings oauth,
        WalletSettings wallets,
        DomainSettings domains,
        DashboardSettings dashboard,
        PasswordSettings passwords,
        SessionSettings sessions,
        TokenSettings tokens,
        ProjectSettings projects,
        UserSettings users,
        LimitSettings limits,
        CaptchaSettings captcha,
        ImportSettings imports,
        ExportSettings exports,
        AuditSettings audit,
        StatisticsSettings statistics,
        WebhookSettings webhooks,
        TraceSettings traces,
        SettingsReport report) {

    private static final Path DEFAULT_FILE = Path.of("config", "vestibule.yaml");

    /** Reads the file and the environment, which wins; throws one exception that lists all faults. */
    public static Settings load(Optional<Path> configFile, Map<String, String> environment, Path workingDirectory) {
        SettingsReader reader = reader(configFile, environment, workingDirectory);
        Settings settings = read(reader, workingDirectory);
        settings.checkCombinations(reader);
        reader.finish();
        return settings;
    }

    /** Every setting with its effective value, for people; throws as {@link #load} does. */
    public static List<EffectiveSetting> list(
            Optional<Path> configFile, Map<String, String> environment, Path workingDirectory) {
        SettingsReader reader = reader(configFile, environment, workingDirectory);
        read(reader, workingDirectory).checkCombinations(reader);
        reader.finish();
        return reader.effective();
    }

    private static SettingsReader reader(
            Optional<Path> configFile, Map<String, String> environment, Path workingDirectory) {
        List<String> problems = new ArrayList<>();
        Map<String, RawSetting> file = file(configFile, workingDirectory, problems);
        return new SettingsReader(new SettingSources(file, environment, problems));
    }

    /** The URL of this machine; without the port if that is 0, because the port is not known yet. */
    private static URI local(int port) {
        return URI.create(port == 0 ? "http://localhost" : "http://localhost:" + port);
    }

    /** Declares every setting, in the order of config/vestibule.yaml. */
    static Settings read(SettingsReader reader, Path workingDirectory) {
        SettingsSection top = reader.section("", "The server as a whole.");
        Optional<URI> publicUrl = top.optional(
                "publicUrl",
                SettingType.HTTP_URL,
                "https://auth.example.com",
                "The URL at which browsers and applications reach this server. Tokens name it as their issuer, and links"
                        + " begin with it. Default: http://localhost with http.port, which is right only for development.");
        Path dataDir = workingDirectory.resolve(top.value(
                "dataDir",
                SettingType.PATH,
                "data",
                "Folder of the embedded database and of the secrets that the first start generates, and of mails"
                        + " where smtp.url is not set."));
        // The example secrets are deliberately too short, so that nobody can use them unchanged.
        Optional<Secret> secret = top.optional(
                "secret",
                SettingType.MASTER_SECRET,
                "<openssl rand -base64 32>",
                "The master secret, which encrypts keys at rest and signs refresh tokens. It must be the same on"
                        + " every node. Required with database.url; with the embedded database, the first start"
                        + " generates one in the file secret of dataDir; set its text here when you move the data.");
        List<Secret> previousSecrets = top.list(
                "previousSecrets",
                SettingType.MASTER_SECRET,
                "<the secret before it>",
                "Previous master secrets, newest first, which can still decrypt what they encrypted.");
        HttpSettings http = HttpSettings.read(reader.section("http", "The public API."));
        URI home = publicUrl.orElseGet(() -> local(http.port()));
        return new Settings(
                home,
                dataDir,
                secret,
                previousSecrets,
                http,
                ManagementSettings.read(reader.section("management", "Health and metrics, on a port of their own.")),
                LogSettings.read(reader.section("log", "What operators read: lines on the standard output.")),
                DatabaseSettings.read(reader.section("database", "PostgreSQL.")),
                GeoSettings.read(reader.section("geo", "Which country a session comes from."), workingDirectory),
                SmtpSettings.read(reader.section("smtp", "The SMTP server that sends the mails.")),
                MailSettings.read(
                        reader.section("mail", "Mails with codes: their templates and their delivery."),
                        home.getHost(),
                        workingDirectory),
                SmsSettings.read(reader.section("sms", "Sign in by SMS, for projects that switch it on.")),
                OauthSettings.read(reader.section("oauth", "Sign in with other identity providers."), workingDirectory),
                WalletSettings.read(reader.section("wallets", "Sign in with wallets, for projects that switch it on.")),
                DomainSettings.read(reader.section("domains", "Domains of organizations, which DNS records prove.")),
                DashboardSettings.read(reader.section("dashboard", "The people who manage projects.")),
                PasswordSettings.read(reader.section("passwords", "Argon2id password hashing.")),
                SessionSettings.read(reader.section("sessions", "Sessions. Each project sets their lifetime itself.")),
                TokenSettings.read(reader.section("tokens", "Access tokens and the keys that sign them.")),
                ProjectSettings.read(reader.section("projects", "Projects and their API keys.")),
                UserSettings.read(reader.section("users", "The users of projects.")),
                LimitSettings.read(reader.section(
                        "limits",
                        "Protection against guessing and floods. Each limit per minute is for one client address and one"
                                + " project.")),
                CaptchaSettings.read(
                        reader.section(
                                "captcha",
                                "Protection against bots at sign up, and where codes are sent: when a captcha is asked"
                                        + " for, and what it costs to solve. Each project chooses its provider."),
                        workingDirectory),
                ImportSettings.read(reader.section("imports", "Imports of users.")),
                ExportSettings.read(reader.section("exports", "Exports of users and of the audit log.")),
                AuditSettings.read(reader.section("audit", "The audit log: who did what, for each project.")),
                StatisticsSettings.read(
                        reader.section("statistics", "The activity of each project by the hour, for its members.")),
                WebhookSettings.read(reader.section("webhooks", "Delivery of events to projects' endpoints.")),
                TraceSettings.read(reader.environment()),
                new SettingsReport(reader::effective));
    }

    private void checkCombinations(SettingsReader reader) {
        if (reader.isSet("database.url") && !reader.isSet("secret")) {
            reader.reject(
                    "secret",
                    "is required with database.url: 32 bytes or more, such as the output of openssl rand -base64 32");
        }
        if (reader.isSet("database.directUrl") && !reader.isSet("database.url")) {
            reader.reject("database.url", "is required with database.directUrl: the address of the pooler");
        }
        Set<String> shards = database.shards().stream().map(ShardAddress::name).collect(Collectors.toUnmodifiableSet());
        if (shards.size() < database.shards().size()) {
            reader.reject("database.shards", "must have a different name for each");
        }
        if (!database.newProjects().equals(ShardAddress.HOME) && !shards.contains(database.newProjects())) {
            reader.reject("database.newProjects", "must be " + ShardAddress.HOME + " or one of database.shards");
        }
        if (reader.isSet("dashboard.email") != reader.isSet("dashboard.password")) {
            String missing = reader.isSet("dashboard.email") ? "dashboard.password" : "dashboard.email";
            reader.reject(missing, "is required: dashboard.email and dashboard.password go together");
        }
        if (reader.isSet("sms.url") && !reader.isSet("sms.secret")) {
            reader.reject("sms.secret", "is required with sms.url: it signs the requests to your endpoint");
        }
        if (reader.isSet("sms.url") && !reader.isSet("sms.countries")) {
            reader.reject("sms.countries", "is required with sms.url: the countries whose numbers get SMS");
        }
        if (http.port() != 0 && http.port() == management.port()) {
            reader.reject("management.port", "must differ from http.port");
        }
    }

    private static Map<String, RawSetting> file(
            Optional<Path> configFile, Path workingDirectory, List<String> problems) {
        Path shown = configFile.orElse(DEFAULT_FILE);
        Path file = workingDirectory.resolve(shown);
        if (Files.exists(file)) {
            return YamlFile.read(file, shown.toString(), problems);
        }
        if (configFile.isPresent()) {
            problems.add("--config %s: there is no such file".formatted(shown));
        }
        return Map.of();
    }

    /** The file in which countries of IP addresses are looked up, if there is one. */
    public record GeoSettings(Optional<Path> databaseFile) {
        static GeoSettings read(SettingsSection geo, Path workingDirectory) {
            return new GeoSettings(geo.optional(
                    "databaseFile",
                    SettingType.existingFile(workingDirectory),
                    "/var/lib/geo/country.mmdb",
                    "A country or city database in MaxMind's format, in which client addresses are looked up."));
        }
    }

    /** The SMTP server, if there is one. */
    public record SmtpSettings(Optional<SmtpAddress> url) {
        static SmtpSettings read(SettingsSection smtp) {
            return new SmtpSettings(smtp.optional(
                    "url",
                    SettingType.SMTP,
                    "smtp://vestibule:password@smtp.example.com:587",
                    "smtps:// is encrypted from the start (port 465), smtp:// after STARTTLS (port 587). starttls is"
                            + " required (the default with a password), optional (the default without one; accepts any"
                            + " certificate) or disabled. Without a url, the log shows the code of each mail, and the"
                            + " folder mails in dataDir has the whole mail: for development only."));
        }
    }

    /** The grace time of refresh tokens, and how often expired sessions are removed. */
    public record SessionSettings(Duration refreshGrace, Duration sweepInterval) {
        static SessionSettings read(SettingsSection sessions) {
            return new SessionSettings(
                    sessions.value(
                            "refreshGraceSeconds",
                            SettingType.seconds(0, 300),
                            "10",
                            "A refresh token used again within this time gets the same successor; later it counts as theft"
                                    + " and ends the session."),
                    sessions.value(
                            "sweepSeconds",
                            SettingType.seconds(1, 86_400),
                            "60",
                            "How often expired sessions are removed."));
        }
    }

    /** Caches, limits and background work of projects. */
    public record ProjectSettings(
            int cacheSize, int brandingCacheBytes, int maxKeys, Duration keyUseInterval, Duration deletionInterval) {
        static ProjectSettings read(SettingsSection projects) {
            return new ProjectSettings(
                    projects.value(
                            "cacheSize",
                            SettingType.wholeNumber(1, 1_000_000),
                            "10000",
                            "Maximum number of projects kept in memory with their keys."),
                    projects.value(
                            "brandingCacheBytes",
                            SettingType.bytes(0, 1_073_741_824),
                            "33554432",
                            "Memory for the brandings of projects in use, and as much again for their lists of providers;"
                                    + " a logo takes up to 267 KiB of it, and an icon 22 KiB."),
                    projects.value(
                            "maxKeys",
                            SettingType.wholeNumber(2, 1000),
                            "50",
                            "Maximum number of API keys of one project."),
                    projects.value(
                            "keyUseSeconds",
                            SettingType.seconds(1, 86_400),
                            "10",
                            "How often the times of last use of API keys are saved."),
                    projects.value(
                            "deletionSeconds",
                            SettingType.seconds(1, 86_400),
                            "5",
                            "How often this node looks for deleted projects and removes their rows."));
        }
    }

    /** The size of the cache of search totals, and the number of API keys of a user. */
    public record UserSettings(int totalsCacheSize, int maxKeys) {
        static UserSettings read(SettingsSection users) {
            return new UserSettings(
                    users.value(
                            "totalsCacheSize",
                            SettingType.wholeNumber(0, 1_000_000),
                            "10000",
                            "Maximum number of search terms whose number of matching users is remembered."),
                    users.value(
                            "maxKeys",
                            SettingType.wholeNumber(1, 10_000),
                            "20",
                            "Maximum number of API keys of one user."));
        }
    }
}
