package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log collector reads. */
class JsonLogIT {
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void everyLineFromStartToStopIsOneObject(@TempDir Path folder) {
        var command = JarCommand.in(folder)
                .with("VESTIBULE_LOG_FORMAT", "json")
                .with("VESTIBULE_LOG_REQUESTS", "true")
                .with("VESTIBULE_LOG_LEVEL", "warn, dev.vestibule=info");
        String output;
        try (var server = command.start()) {
            server.api()
                    .get("/v1/odd-path")
                    .header("X-Request-Id", "the-last-one")
                    .expect(404);
            Eventually.until("it is logged", () -> server.output().contains("the-last-one"));
            server.terminate();
            server.awaitExit(Duration.ofSeconds(60));
            output = server.output();
        }
        var lines = output.lines().map(this::read).toList();
        assertThat(messages(lines)).anyMatch(message -> message.startsWith("Vestibule listens on"));
        assertThat(lines).allMatch(line -> line.hasNonNull("time") && line.hasNonNull("level"));
        assertThat(lines)
                .filteredOn(line -> line.path("requestId").asText().equals("the-last-one"))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.get("status").intValue()).isEqualTo(404);
                    assertThat(line.get("millis").isIntegralNumber()).isTrue();
                    assertThat(line.get("route").textValue()).isEqualTo("none");
                });
    }

    private static List<String> messages(List<JsonNode> lines) {
        return lines.stream().map(line -> line.path("message").asText()).toList();
    }

    private JsonNode read(String line) {
        try {
            return json.readTree(line);
        } catch (JsonProcessingException notJson) {
            throw new AssertionError(line, notJson);
        }
    }
}
