package dev.vestibule.telemetry.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.telemetry.log.Logging.RequestContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLayoutTest {
    private final LoggerContext logs = new LoggerContext();

    JsonLayoutTest() {
        logs.setMDCAdapter(new RequestContext());
    }

    private LoggingEvent event(String message, @Nullable Throwable failure) {
        var event = new LoggingEvent("", logs.getLogger("dev.vestibule.A"), Level.WARN, message, failure, null);
        event.setInstant(Instant.parse("2026-01-15T10:30:00.007Z"));
        return event;
    }

    private static JsonNode read(LoggingEvent event) throws JsonProcessingException {
        var line = new JsonLayout().doLayout(event);
        assertThat(line).endsWith(System.lineSeparator()).containsOnlyOnce("\n").isASCII();
        return new ObjectMapper().readTree(line);
    }

    @Test
    void anEventIsOneFlatObjectWhoseNumbersAreNumbers() throws JsonProcessingException {
        var event = event("Answered", null);
        event.addKeyValuePair(new KeyValuePair("status", 503));
        event.addKeyValuePair(new KeyValuePair("millis", 12L));
        event.addKeyValuePair(new KeyValuePair("route", "GET /v1/auth/me"));
        assertThat(read(event)).isEqualTo(new ObjectMapper().readTree("""
                {"time":"2026-01-15T10:30:00.007Z","level":"WARN","logger":"dev.vestibule.A","message":"Answered",
                 "status":503,"millis":12,"route":"GET /v1/auth/me"}
                """));
    }

    @Test
    void noTextEndsItsLineOrItsField() throws JsonProcessingException {
        var text = "\",\"level\":\"INFO\u001b[2J\r\n{\u2028한\u0000\ud83d";
        var event = event(text, new IllegalStateException(text));
        event.addKeyValuePair(new KeyValuePair("route", text));
        var object = read(event);
        assertThat(object.get("level").textValue()).isEqualTo("WARN");
        assertThat(object.get("message").textValue()).isEqualTo(text);
        assertThat(object.get("route").textValue()).isEqualTo(text);
        assertThat(object.get("stackTrace").textValue()).contains("IllegalStateException");
    }
}
