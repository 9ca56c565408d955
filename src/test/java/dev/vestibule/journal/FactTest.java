package dev.vestibule.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.fixture.Description;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Everything that is recorded has its place in the description, and a sentence in the console. */
class FactTest {
    private static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(one -> texts.add(one.asText()));
        return texts;
    }

    private static JsonNode schema(String path) {
        return Description.get().root().at("/components/schemas/" + path);
    }

    @Test
    void everyActionIsDescribed() {
        assertThat(texts(schema("AuditEvent/enum")))
                .containsExactlyInAnyOrderElementsOf(Fact.actions().toList());
    }

    @Test
    void everyTypeOfEventIsDescribed() {
        assertThat(texts(schema("SubscribedEvents/items/enum")))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(Stream.of(EventKind.ALL), kinds()).toList());
        var sections = new ArrayList<String>();
        Description.get()
                .root()
                .path("tags")
                .forEach(tag -> sections.add(tag.path("description").asText()));
        assertThat(kinds())
                .allSatisfy(kind -> assertThat(sections).anyMatch(section -> section.contains("`" + kind + "`")));
    }

    private static Stream<String> kinds() {
        return Arrays.stream(EventKind.values()).map(EventKind::text);
    }

    /** {@code ConsoleMessagesTest} compares the other languages with English. */
    @Test
    void everyActionHasASentenceInTheConsole() throws IOException {
        var sentences = new ObjectMapper()
                .readTree(console("messages/sentences/en.json")).properties().stream()
                        .map(sentence -> sentence.getKey());
        assertThat(sentences)
                .containsExactlyInAnyOrderElementsOf(
                        Fact.actions().map(action -> action.replace('.', '_')).toList());
    }

    @Test
    void everyTypeOfEventCanBeChosenInTheConsole() throws IOException {
        var screen = console("screen/webhooks.js");
        assertThat(kinds()).allSatisfy(kind -> assertThat(screen).contains("  \"" + kind + "\",\n"));
    }

    private static String console(String file) throws IOException {
        try (var stream = FactTest.class.getResourceAsStream("/page/console/" + file)) {
            return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
