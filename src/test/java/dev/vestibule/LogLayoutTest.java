package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogLayoutTest {
    private static String written(Level level, String message, @Nullable Throwable failure, Object... arguments) {
        var logger = new LoggerContext().getLogger("dev.vestibule.session.SessionStore");
        var event = new LoggingEvent("", logger, level, message, failure, arguments);
        event.setInstant(Instant.parse("2026-01-15T10:30:00.007Z"));
        return new LogLayout().doLayout(event);
    }

    @Test
    void aLineHasTimeLevelLoggerAndMessage() {
        assertThat(written(Level.INFO, "It is {}", null, "so"))
                .isEqualTo("2026-01-15T10:30:00.007Z INFO  d.v.session.SessionStore It is so" + System.lineSeparator());
    }

    @Test
    void aLineBreakInAMessageMakesNoLineOfItsOwn() {
        assertThat(written(Level.ERROR, "a\r\n\nb{}c", null, "\n"))
                .endsWith("Z ERROR d.v.session.SessionStore a b c" + System.lineSeparator());
    }

    @Test
    void aFailureFollowsWithItsCauses() {
        var failure = new IllegalStateException("above", new IllegalArgumentException("below"));
        assertThat(written(Level.WARN, "It failed", failure).lines())
                .contains("java.lang.IllegalStateException: above")
                .contains("Caused by: java.lang.IllegalArgumentException: below")
                .anyMatch(line -> line.startsWith("\tat dev.vestibule.LogLayoutTest."));
    }
}
