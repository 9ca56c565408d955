package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private final Path folder;

    SettingsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void anEmptyConfigurationIsValid() {
        Settings settings = Loading.in(folder).settings();

        assertThat(settings.database().url()).isEmpty();
        assertThat(settings.secret()).isEmpty();
        assertThat(settings.dataDir()).isEqualTo(folder.resolve("data"));
    }

    @Test
    void theFileInItsUsualPlaceIsRead() {
        assertThat(Loading.in(folder)
                        .file("http:", "  port: 81")
                        .settings()
                        .http()
                        .port())
                .isEqualTo(81);
    }

    @Test
    void aFileGivenAsAnArgumentIsReadInsteadOfTheUsualOne() throws Exception {
        Loading loading = Loading.in(folder).file("http: {port: 81}");
        Files.writeString(folder.resolve("other.yaml"), "management: {port: 82}");

        Settings settings = loading.settings(Optional.of(Path.of("other.yaml")));

        assertThat(settings.http().port()).isEqualTo(8080);
        assertThat(settings.management().port()).isEqualTo(82);
    }

    @Test
    void aFileGivenAsAnArgumentMustExist() {
        assertThat(Loading.in(folder).faults(Optional.of(Path.of("nowhere.yaml"))))
                .containsExactly("--config nowhere.yaml: there is no such file");
    }

    @Test
    void theEnvironmentWins() {
        Loading loading = Loading.in(folder).file("http:", "  port: 81", "  host: 10.0.0.1");

        HttpSettings http =
                loading.environment("VESTIBULE_HTTP_PORT=82").settings().http();

        assertThat(http.port()).isEqualTo(82);
        assertThat(http.host()).isEqualTo("10.0.0.1");
    }

    @Test
    void anEmptyVariableUnsetsAnOptionalSettingOfTheFile() {
        Loading loading = Loading.in(folder).file("http:", "  countryHeader: CF-IPCountry");

        assertThat(loading.environment("VESTIBULE_HTTP_COUNTRY_HEADER=")
                        .settings()
                        .http()
                        .countryHeader())
                .isEmpty();
    }

    @Test
    void anEmptyValueIsRefusedIfAValueIsRequired() {
        assertThat(Loading.in(folder)
                        .file("http:", "  port:")
                        .environment("VESTIBULE_DATA_DIR=")
                        .faults())
                .containsExactly(
                        "dataDir (VESTIBULE_DATA_DIR): must be a path, but is empty",
                        "http.port (config/vestibule.yaml:2): must be 0 to 65535, but is empty");
    }

    @Test
    void allErrorsAreListedAtOnceWithTheirOrigin() {
        assertThat(Loading.in(folder)
                        .file("http:", "  port: 80a", "  colour: red", "limits:", "  enabled: yes")
                        .environment("VESTIBULE_DASHBOARD_REGISTRATION=nobody", "VESTIBULE_POOL=1")
                        .faults())
                .containsExactly(
                        "http.port (config/vestibule.yaml:2): must be 0 to 65535, not \"80a\"",
                        "dashboard.registration (VESTIBULE_DASHBOARD_REGISTRATION): must be one of first, open, closed,"
                                + " not \"nobody\"",
                        "limits.enabled (config/vestibule.yaml:5): must be true or false, not \"yes\"",
                        "http.colour (config/vestibule.yaml:3): no such setting",
                        "VESTIBULE_POOL: no such setting");
    }

    @Test
    void anUnknownNameIsRefusedWithTheNearestKnownOne() {
        assertThat(Loading.in(folder)
                        .file("htpp:", "  port: 81", "dataDirs: x")
                        .environment("VESTIBULE_HTTP_PROT=81")
                        .faults())
                .containsExactly(
                        "htpp.port (config/vestibule.yaml:2): no such setting; did you mean http.port?",
                        "dataDirs (config/vestibule.yaml:3): no such setting; did you mean dataDir?",
                        "VESTIBULE_HTTP_PROT: no such setting; did you mean VESTIBULE_HTTP_PORT?");
    }

    @Test
    void variablesOfOtherProgramsAreIgnored() {
        assertThat(Loading.in(folder)
                        .environment("PATH=/bin", "HTTP_PORT=x", "vestibule_http_port=x")
                        .settings())
                .isEqualTo(Loading.in(folder).settings());
    }

    @Test
    void variablesOfApplicationsAsTheGuidesNameThemAreIgnored() {
        assertThat(Loading.in(folder)
                        .environment(
                                "VESTIBULE_URL=http://localhost:8080",
                                "VESTIBULE_PROJECT_ID=x",
                                "VESTIBULE_KEY=pk_live_x",
                                "VESTIBULE_SECRET_KEY=sk_live_x")
                        .faults())
                .isEmpty();
        assertThat(Loading.in(folder).environment("VESTIBULE_SECRET_KEYS=x").faults())
                .hasSize(1);
    }

    @Test
    void variablesOfKubernetesServicesAreIgnored() {
        assertThat(Loading.in(folder)
                        .environment(
                                "VESTIBULE_SERVICE_HOST=10.3.0.1",
                                "VESTIBULE_SERVICE_PORT_HTTP=80",
                                "VESTIBULE_DB_PORT=tcp://10.3.0.2:5432",
                                "VESTIBULE_DB_PORT_5432_TCP=tcp://10.3.0.2:5432",
                                "VESTIBULE_DB_PORT_5432_TCP_ADDR=10.3.0.2")
                        .faults())
                .isEmpty();
    }

    @Test
    void aListIsASequenceInTheFileAndCommaSeparatedInTheEnvironment() {
        Loading loading = Loading.in(folder).file("http:", "  trustedProxies: [10.0.0.0/8, '::1']");

        assertThat(loading.settings().http().trustedProxies())
                .containsExactly(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("::1"));
        assertThat(loading.environment("VESTIBULE_HTTP_TRUSTED_PROXIES=10.0.0.1, 10.0.0.2")
                        .settings()
                        .http()
                        .trustedProxies())
                .containsExactly(AddressRange.parse("10.0.0.1"), AddressRange.parse("10.0.0.2"));
    }

    @Test
    void eachWrongElementOfAListIsNamed() {
        assertThat(Loading.in(folder)
                        .file("http:", "  trustedProxies:", "    - localhost", "    - 10.0.0.0/33")
                        .faults())
                .containsExactly(
                        "http.trustedProxies (config/vestibule.yaml:2): must be an IP address, or a network such as"
                                + " 10.0.0.0/8, not \"localhost\"",
                        "http.trustedProxies (config/vestibule.yaml:2): must be an IP address, or a network such as"
                                + " 10.0.0.0/8, not \"10.0.0.0/33\"");
    }

    @Test
    void aListIsRefusedForASingleValue() {
        assertThat(Loading.in(folder).file("http:", "  port: [81]").faults())
                .containsExactly("http.port (config/vestibule.yaml:2): must be a single value, not a list");
    }

    @Test
    void aDirectUrlNeedsTheUrlOfThePooler() {
        assertThat(Loading.in(folder)
                        .environment("VESTIBULE_DATABASE_DIRECT_URL=postgresql://u:p@db/auth")
                        .faults())
                .containsExactly("database.url (VESTIBULE_DATABASE_URL): is required with database.directUrl: the"
                        + " address of the pooler");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "eu; eu=postgresql://u:p@a/auth,eu=postgresql://u:p@b/auth; database.shards",
                "us; eu=postgresql://u:p@a/auth; database.newProjects",
                "home; home=postgresql://u:p@a/auth; database.shards",
                "home; EU=postgresql://u:p@a/auth; database.shards",
                "home; postgresql://u:p@a/auth; database.shards"
            })
    void eachDatabaseHasANameOfItsOwn(String newProjects, String shards, String refused) {
        assertThat(Loading.in(folder)
                        .environment(
                                "VESTIBULE_DATABASE_SHARDS=" + shards, "VESTIBULE_DATABASE_NEW_PROJECTS=" + newProjects)
                        .faults())
                .isNotEmpty()
                .allSatisfy(
                        fault -> assertThat(fault).startsWith(refused + " (").doesNotContain("u:p"));
    }

    @Test
    void aDatabaseNeedsTheMasterSecret() {
        Loading loading = Loading.in(folder);

        assertThat(loading.environment("VESTIBULE_DATABASE_URL=postgresql://u:p@db/auth")
                        .faults())
                .singleElement()
                .asString()
                .startsWith("secret (VESTIBULE_SECRET): is required with database.url: 32 bytes or more");
        assertThat(loading.environment(
                                "VESTIBULE_DATABASE_URL=postgresql://u:p@db/auth", "VESTIBULE_SECRET=" + Loading.SECRET)
                        .settings()
                        .secret())
                .contains(new Secret(Loading.SECRET));
    }

    @Test
    void aShortSecretIsCalledShortAndNotMissing() {
        assertThat(Loading.in(folder)
                        .environment("VESTIBULE_DATABASE_URL=postgresql://u:p@db/auth", "VESTIBULE_SECRET=short")
                        .faults())
                .containsExactly("secret (VESTIBULE_SECRET): must be 32 bytes or more");
    }

    @Test
    void noSettingIsReportedMissingWhileTheFileCannotBeRead() {
        assertThat(Loading.in(folder)
                        .file("secret: " + Loading.SECRET, "http: [")
                        .environment("VESTIBULE_DATABASE_URL=postgresql://u:p@db/auth")
                        .faults())
                .containsExactly("config/vestibule.yaml:3: is not valid YAML");
    }

    @Test
    void theFirstAccountNeedsBothEmailAndPassword() {
        Loading loading = Loading.in(folder);

        assertThat(loading.environment("VESTIBULE_DASHBOARD_EMAIL=a@b.example").faults())
                .containsExactly("dashboard.password (VESTIBULE_DASHBOARD_PASSWORD): is required: dashboard.email and"
                        + " dashboard.password go together");
        assertThat(loading.environment("VESTIBULE_DASHBOARD_PASSWORD=long enough")
                        .faults())
                .containsExactly("dashboard.email (VESTIBULE_DASHBOARD_EMAIL): is required: dashboard.email and"
                        + " dashboard.password go together");
    }

    @Test
    void anEndpointForSmsNeedsASecretAndTheCountries() {
        Loading loading = Loading.in(folder);
        String url = "VESTIBULE_SMS_URL=https://sms.example.com/send";

        assertThat(loading.environment(url).faults())
                .containsExactly(
                        "sms.secret (VESTIBULE_SMS_SECRET): is required with sms.url: it signs the requests to your"
                                + " endpoint",
                        "sms.countries (VESTIBULE_SMS_COUNTRIES): is required with sms.url: the countries whose numbers"
                                + " get SMS");
        assertThat(loading.environment(url, "VESTIBULE_SMS_SECRET=" + SettingCases.SMS_SECRET)
                        .faults())
                .hasSize(1);
        assertThat(loading.environment("VESTIBULE_SMS_COUNTRIES=DE, UK").faults())
                .containsExactly("sms.countries (VESTIBULE_SMS_COUNTRIES): must be a country of ISO 3166-1 that has"
                        + " telephone numbers, in two capital letters, not \"UK\"");
        assertThat(loading.environment("VESTIBULE_SMS_SECRET=whsec_c2hvcnQ=").faults())
                .containsExactly("sms.secret (VESTIBULE_SMS_SECRET): must be whsec_ and 24 to 64 bytes as base64");
    }

    @Test
    void aHashMustFitInTheMemoryForHashes() {
        Loading loading = Loading.in(folder);

        assertThat(loading.settings().passwords().problems()).isEmpty();
        assertThat(loading.environment("VESTIBULE_PASSWORDS_MEMORY=32768", "VESTIBULE_PASSWORDS_NATIVE_BUDGET=20480")
                        .settings()
                        .passwords()
                        .problems())
                .containsExactly("passwords.memory must be at most 20480 KiB, which passwords.nativeBudget is here, not"
                        + " 32768: one hash must fit in it");
        assertThat(loading.environment("VESTIBULE_PASSWORDS_HEAP_BUDGET=67108864")
                        .settings()
                        .passwords()
                        .problems())
                .containsExactly("passwords.heapBudget must be at most %d KiB, half of the heap (-Xmx), not 67108864"
                        .formatted(Runtime.getRuntime().maxMemory() / 2 / 1024));
    }

    @Test
    void theTwoListenersDoNotShareAPort() {
        Loading loading = Loading.in(folder);

        assertThat(loading.environment("VESTIBULE_HTTP_PORT=9090").faults())
                .containsExactly("management.port (VESTIBULE_MANAGEMENT_PORT): must differ from http.port");
        assertThat(loading.environment("VESTIBULE_HTTP_PORT=0", "VESTIBULE_MANAGEMENT_PORT=0")
                        .faults())
                .isEmpty();
    }

    @Test
    void thePublicUrlFollowsThePort() {
        assertThat(Loading.in(folder)
                        .environment("VESTIBULE_HTTP_PORT=81")
                        .settings()
                        .publicUrl())
                .isEqualTo(URI.create("http://localhost:81"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "auth.example.com",
                "/auth",
                "ftp://auth.example.com",
                "https://auth.example.com/",
                "https://auth.example.com?a=b",
                "https://auth.example.com#a",
                "https://user:hunter2@auth.example.com",
                "https://",
                "https://auth example.com"
            })
    void aPublicUrlIsAbsoluteWithoutExtraParts(String url) {
        assertThat(Loading.in(folder).environment("VESTIBULE_PUBLIC_URL=" + url).faults())
                .containsExactly("publicUrl (VESTIBULE_PUBLIC_URL): must be an absolute http or https URL with no user,"
                        + " query, fragment or slash at its end");
    }

    @Test
    void aFileOfCountriesMustExist() throws Exception {
        Loading loading = Loading.in(folder).environment("VESTIBULE_GEO_DATABASE_FILE=country.mmdb");

        assertThat(loading.faults())
                .containsExactly("geo.databaseFile (VESTIBULE_GEO_DATABASE_FILE): must be a file that exists and can be"
                        + " read, not \"country.mmdb\"");
        Files.createFile(folder.resolve("country.mmdb"));
        assertThat(loading.settings().geo().databaseFile()).contains(folder.resolve("country.mmdb"));
    }
}
