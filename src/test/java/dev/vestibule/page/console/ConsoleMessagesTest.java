package dev.vestibule.page.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.project.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The texts of the console in each language except English. {@link ConsoleTypesIT} checks that each one is used. */
class ConsoleMessagesTest {
    /** Texts that are correct although they equal the English ones; any other equal text was forgotten. */
    private static final Map<String, Set<String>> AS_IN_ENGLISH = Map.of(
            "de",
                    Set.of(
                            "code",
                            "name",
                            "account.device",
                            "apis.scope",
                            "apis.scopes",
                            "audit.browser",
                            "projects.live",
                            "projects.test",
                            "members.status",
                            "project.apis",
                            "organizations.domains",
                            "project.webhooks",
                            "settings.bots",
                            "settings.captchaProvider",
                            "settings.factorNames.passkeys",
                            "settings.factorNames.sms",
                            "users.passkeys"),
            "es",
                    Set.of(
                            "settings.general",
                            "settings.bots",
                            "settings.captchaProvider",
                            "users.no",
                            "project.webhooks",
                            "project.tokens",
                            "settings.factorNames.sms"),
            "fr",
                    Set.of(
                            "actions",
                            "invitation.title",
                            "code",
                            "organizations.invitations",
                            "projects.test",
                            "settings.captchaProvider",
                            "settings.sessions",
                            "settings.factorNames.sms",
                            "units.minute",
                            "users.sessions",
                            "project.applications",
                            "project.webhooks"),
            "ja", Set.of("settings.factorNames.sms"),
            "ko", Set.of("settings.factorNames.sms"),
            "pt",
                    Set.of(
                            "project.apis",
                            "project.webhooks",
                            "project.tokens",
                            "settings.bots",
                            "settings.captchaProvider",
                            "settings.factorNames.sms"),
            "zh", Set.of());

    private static final Path FOLDER = Path.of("src/main/resources/page/console/messages");
    private static final Pattern PLACE_OF_VALUE = Pattern.compile("\\{(\\w+)}");

    @Test
    void theConsoleSpeaksTheLanguagesOfTheMails() {
        assertThat(Stream.of(Language.values()).map(Language::text).filter(name -> !name.equals("en")))
                .containsExactlyInAnyOrderElementsOf(AS_IN_ENGLISH.keySet());
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void everyLanguageHasAllTextsWithTheirValues(Language language) throws IOException {
        var english = texts("en");
        var texts = texts(language.text());
        assertThat(texts.keySet()).containsExactlyInAnyOrderElementsOf(english.keySet());
        assertThat(texts).allSatisfy((name, text) -> {
            assertThat(text).isNotBlank();
            assertThat(valuesOf(text)).isEqualTo(valuesOf(english.getOrDefault(name, "")));
        });
    }

    @ParameterizedTest
    @EnumSource(value = Language.class, names = "EN", mode = EnumSource.Mode.EXCLUDE)
    void noTextIsStillInEnglishUnlessThatIsCorrect(Language language) throws IOException {
        var english = texts("en");
        var same = texts(language.text()).entrySet().stream()
                .filter(text -> text.getValue().equals(english.get(text.getKey())))
                .map(Map.Entry::getKey);
        assertThat(same).containsExactlyInAnyOrderElementsOf(AS_IN_ENGLISH.get(language.text()));
    }

    /** WCAG 2.5.3: a person can press a button by saying its visible text. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void theLabelOfAButtonForScreenReadersHasTheWordsThatAreOnIt(Language language) throws IOException {
        var texts = texts(language.text());
        var labels = new ArrayList<String>();
        texts.forEach((name, text) -> {
            var onButton = texts.get(name.replaceFirst("Of$", ""));
            if (name.endsWith("Of") && onButton != null) {
                labels.add(name);
                assertThat(text.toLowerCase(Locale.ROOT)).as(name).contains(onButton.toLowerCase(Locale.ROOT));
            }
        });
        assertThat(labels).contains("members.removeOf", "keys.revokeOf");
    }

    private static Set<String> valuesOf(String text) {
        return PLACE_OF_VALUE
                .matcher(text)
                .results()
                .map((MatchResult place) -> place.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The texts by their paths, such as {@code members.remove}. */
    private static Map<String, String> texts(String language) throws IOException {
        var texts = new LinkedHashMap<String, String>();
        try (var files = Files.walk(FOLDER)) {
            for (var file : files.filter(path -> path.endsWith(language + ".json"))
                    .sorted()
                    .toList()) {
                var screen = FOLDER.relativize(file).getParent();
                var path = screen == null ? List.<String>of() : List.of(screen.toString());
                add(new ObjectMapper().readTree(file.toFile()), path, texts);
            }
        }
        return texts;
    }

    private static void add(JsonNode group, List<String> path, Map<String, String> texts) {
        for (var entry : group.properties()) {
            var own = Stream.concat(path.stream(), Stream.of(entry.getKey())).toList();
            if (entry.getValue().isObject()) {
                add(entry.getValue(), own, texts);
            } else {
                assertThat(entry.getValue().isTextual()).as("%s is a text", own).isTrue();
                texts.put(String.join(".", own), entry.getValue().textValue());
            }
        }
    }
}
