package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each setting by itself: its default, its variable, and the one record component that it sets. */
class EverySettingTest {
    @Test
    void everyDeclaredSettingIsTestedHere() {
        assertThat(SettingCases.own().map(SettingCase::name))
                .isSubsetOf(Loading.declared().stream().map(Setting::name).toList());
        assertThat(SettingCases.cases().map(SettingCase::component))
                .containsExactlyInAnyOrderElementsOf(Loading.components().keySet());
    }

    @ParameterizedTest
    @MethodSource("dev.vestibule.config.SettingCases#cases")
    void itsDefaultIsAsDocumented(SettingCase it) {
        assertThat(Loading.components()).containsEntry(it.component(), it.byDefault());
    }

    @ParameterizedTest
    @MethodSource("dev.vestibule.config.SettingCases#cases")
    void itsVariableReachesItAndNothingElse(SettingCase it) {
        assertThat(changesBy(Loading.in(SettingCases.NOWHERE).environment(withCompanions(it))))
                .containsEntry(it.component(), it.value())
                .satisfies(changes -> assertThat(changes.keySet()).isSubsetOf(expected(it)));
    }

    @ParameterizedTest
    @MethodSource("dev.vestibule.config.SettingCases#cases")
    void itsNameInAFileReachesTheSame(SettingCase it, @TempDir Path own) {
        String key = it.name().substring(it.name().indexOf('.') + 1);
        String entry = key + ": " + it.text();
        Loading loading = Loading.in(own);
        if (it.name().contains(".")) {
            loading.file(it.name().substring(0, it.name().indexOf('.')) + ":", "  " + entry);
        } else {
            loading.file(entry);
        }
        String[] companions = Stream.of(withCompanions(it))
                .filter(variable -> !variable.startsWith(it.variable() + "="))
                .toArray(String[]::new);

        assertThat(Loading.components(loading.environment(companions).settings()))
                .containsEntry(it.component(), it.value());
    }

    static Stream<Setting> numbers() {
        return Loading.declared().stream().filter(setting -> bounds(setting).find());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aNumberHasTheBoundsThatItDeclares(Setting setting) {
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
        assertThat(SettingCases.cases()
                        .filter(it -> it.byDefault() instanceof Integer || it.byDefault() instanceof Duration))
                .map(SettingCase::name)
                .containsExactlyElementsOf(numbers().map(Setting::name).toList());
    }

    private static List<String> faults(Setting setting, long number) {
        return Loading.in(SettingCases.NOWHERE)
                .environment(setting.variable() + "=" + number)
                .faults();
    }

    private static Matcher bounds(Setting setting) {
        return Pattern.compile("^(\\d+) to (\\d++)(?! characters)").matcher(setting.allowed());
    }

    /** Settings that are refused alone are set together with those that they need. */
    private static String[] withCompanions(SettingCase it) {
        String own = it.variable() + "=" + it.text();
        return switch (it.name()) {
            case "database.url" -> new String[] {own, "VESTIBULE_SECRET=" + SettingCases.LONG};
            case "database.directUrl" ->
                new String[] {
                    own, "VESTIBULE_DATABASE_URL=postgresql://u:p@pooler/auth", "VESTIBULE_SECRET=" + SettingCases.LONG
                };
            case "database.newProjects" -> new String[] {own, "VESTIBULE_DATABASE_SHARDS=eu=postgresql://u:p@eu/auth"};
            case "sms.url" ->
                new String[] {own, "VESTIBULE_SMS_SECRET=" + SettingCases.SMS_SECRET, "VESTIBULE_SMS_COUNTRIES=NO"};
            case "dashboard.email" -> new String[] {own, "VESTIBULE_DASHBOARD_PASSWORD=long enough"};
            case "dashboard.password" -> new String[] {own, "VESTIBULE_DASHBOARD_EMAIL=a@b.example"};
            default -> new String[] {own};
        };
    }

    private static List<String> expected(SettingCase it) {
        return switch (it.name()) {
            case "database.url" -> List.of(it.component(), "secret");
            case "database.directUrl" -> List.of("database.url", it.component(), "secret");
            case "database.newProjects" -> List.of("database.shards", it.component());
            case "dashboard.email", "dashboard.password" -> List.of("dashboard.email", "dashboard.password");
            case "sms.url" -> List.of(it.component(), "sms.secret", "sms.countries");
            case "publicUrl" -> List.of(it.component(), "mail.from");
            case "http.port" -> List.of(it.component(), "publicUrl");
            default -> List.of(it.component());
        };
    }

    private static Map<String, Object> changesBy(Loading loading) {
        Map<String, Object> changed = Loading.components(loading.settings());
        Loading.components().forEach(changed::remove);
        return changed;
    }
}
