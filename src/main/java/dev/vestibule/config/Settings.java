package dev.vestibule.config;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that an operator can set, checked and complete: the only form in which the program sees its configuration. */
public record Settings(
        URI publicUrl,
        Path dataDir,
        Optional<Secret> secret,
        List<Secret> previousSecrets,
        HttpSettings http,
        ManagementSettings management,
        DatabaseSettings database,
        GeoSettings geo,
        SmtpSettings smtp,
        MailSettings mail,
        OauthSettings oauth,
        DashboardSettings dashboard,
        PasswordSettings passwords,
        SessionSettings sessions,
        TokenSettings tokens,
        ProjectSettings projects,
        UserSettings users,
        LimitSettings limits,
        ImportSettings imports,
        WebhookSettings webhooks) {

    private static final Path USUAL_FILE = Path.of("config", "vestibule.yaml");

    /** Reads the file, then the environment, which wins; throws once, with every fault that there is. */
    public static Settings load(CommandLine commandLine, Map<String, String> environment, Path workingDirectory) {
        List<String> problems = new ArrayList<>();
        Map<String, RawSetting> file = file(commandLine, workingDirectory, problems);
        SettingsReader reader = new SettingsReader(new SettingSources(file, environment, problems));
        Settings settings = read(reader, workingDirectory);
        settings.checkTogether(reader);
        reader.finish();
        return settings;
    }

    /** Of a port that is yet to be found (0), nothing can be said. */
    private static URI local(int port) {
        return URI.create(port == 0 ? "http://localhost" : "http://localhost:" + port);
    }

    /** Declares every setting, in the order of config/vestibule.yaml. */
    static Settings read(SettingsReader reader, Path workingDirectory) {
        SettingsSection top = reader.group("", "What concerns the server as a whole.");
        Optional<URI> publicUrl = top.optional(
                "publicUrl",
                SettingType.HTTP_URL,
                "https://auth.example.com",
                "Where browsers and applications reach this server: the issuer of its tokens and the home of its links."
                        + " Default: http://localhost with http.port, which is right for a developer alone.");
        Path dataDir = workingDirectory.resolve(top.value(
                "dataDir",
                SettingType.PATH,
                "data",
                "Folder of the embedded database and of the secrets made at the first start; not used with"
                        + " database.url."));
        // The examples of secrets are too short on purpose: nobody can put them into service as they stand.
        Optional<Secret> secret = top.optional(
                "secret",
                SettingType.MASTER_SECRET,
                "<openssl rand -base64 32>",
                "The master secret: it seals keys at rest and signs refresh tokens, the same on every node. Required"
                        + " with database.url; without it, one is made at the first start and kept in dataDir.");
        List<Secret> previousSecrets = top.list(
                "previousSecrets",
                SettingType.MASTER_SECRET,
                "<the secret before it>",
                "Earlier master secrets, newest first, that still open what they sealed.");
        HttpSettings http = HttpSettings.read(reader.group("http", "The public API."));
        URI home = publicUrl.orElseGet(() -> local(http.port()));
        return new Settings(
                home,
                dataDir,
                secret,
                previousSecrets,
                http,
                ManagementSettings.read(reader.group("management", "Health and metrics, apart from the public API.")),
                DatabaseSettings.read(reader.group("database", "PostgreSQL.")),
                GeoSettings.read(reader.group("geo", "Which country a session comes from."), workingDirectory),
                SmtpSettings.read(reader.group("smtp", "The server that mails are handed over to.")),
                MailSettings.read(
                        reader.group("mail", "Mails with codes: what they look like, and how they are sent."),
                        home.getHost(),
                        workingDirectory),
                OauthSettings.read(reader.group("oauth", "Sign in with other identity providers."), workingDirectory),
                DashboardSettings.read(reader.group("dashboard", "The people who manage projects.")),
                PasswordSettings.read(reader.group("passwords", "Argon2id, the hash of passwords.")),
                SessionSettings.read(
                        reader.group("sessions", "Sessions; how long they live is each project's choice.")),
                TokenSettings.read(reader.group("tokens", "Access tokens and the keys that sign them.")),
                ProjectSettings.read(reader.group("projects", "Projects and their API keys.")),
                UserSettings.read(reader.group("users", "The users of projects.")),
                LimitSettings.read(reader.group(
                        "limits",
                        "Protection against guessing and floods. Each PerMinute is for one client address and one"
                                + " project.")),
                ImportSettings.read(reader.group("imports", "Imports of users.")),
                WebhookSettings.read(reader.group("webhooks", "Telling projects' endpoints of events.")));
    }

    private void checkTogether(SettingsReader reader) {
        if (reader.isGiven("database.url") && !reader.isGiven("secret")) {
            reader.refuse(
                    "secret",
                    "is required with database.url: 32 bytes or more, such as the output of openssl rand -base64 32");
        }
        if (reader.isGiven("dashboard.email") != reader.isGiven("dashboard.password")) {
            String missing = reader.isGiven("dashboard.email") ? "dashboard.password" : "dashboard.email";
            reader.refuse(missing, "is required: dashboard.email and dashboard.password go together");
        }
        if (http.port() != 0 && http.port() == management.port()) {
            reader.refuse("management.port", "must differ from http.port");
        }
    }

    private static Map<String, RawSetting> file(CommandLine commandLine, Path workingDirectory, List<String> problems) {
        Path shown = commandLine.configFile().orElse(USUAL_FILE);
        Path file = workingDirectory.resolve(shown);
        if (Files.exists(file)) {
            return YamlFile.read(file, shown.toString(), problems);
        }
        if (commandLine.configFile().isPresent()) {
            problems.add("--config %s: there is no such file".formatted(shown));
        }
        return Map.of();
    }
}
