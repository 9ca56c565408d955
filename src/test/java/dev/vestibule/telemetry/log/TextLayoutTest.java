package dev.vestibule.telemetry.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.vestibule.telemetry.log.Logging.RequestContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class TextLayoutTest {
    private static final LoggerContext LOGS = new LoggerContext();

    static {
        LOGS.setMDCAdapter(new RequestContext());
    }

    private static LoggingEvent event(Level level, String message, @Nullable Throwable failure, Object... arguments) {
        var logger = LOGS.getLogger("dev.vestibule.session.SessionStore");
        var event = new LoggingEvent("", logger, level, message, failure, arguments);
        event.setInstant(Instant.parse("2026-01-15T10:30:00.007Z"));
        return event;
    }

    private static String written(Level level, String message, @Nullable Throwable failure, Object... arguments) {
        return new TextLayout().doLayout(event(level, message, failure, arguments));
    }

    @Test
    void aLineHasTimeLevelLoggerAndMessage() {
        assertThat(written(Level.INFO, "It is {}", null, "so"))
                .isEqualTo("2026-01-15T10:30:00.007Z INFO  d.v.session.SessionStore It is so" + System.lineSeparator());
    }

    @Test
    void aLineBreakInAMessageDoesNotStartANewLine() {
        assertThat(written(Level.ERROR, "a\r\n\nb{}c", null, "\n"))
                .endsWith("Z ERROR d.v.session.SessionStore a b c" + System.lineSeparator());
    }

    @Test
    void terminalControlCharactersAreEscaped() {
        assertThat(written(Level.INFO, "{}", null, "\u001b[2Ja\u009b1mb\u2028c\u202ed\u0000e\u007f"))
                .endsWith(" \\u001b[2Ja\\u009b1mb\\u2028c\\u202ed\\u0000e\\u007f" + System.lineSeparator());
        assertThat(written(Level.INFO, "{}", null, "한국어 für 😀")).endsWith(" 한국어 für 😀" + System.lineSeparator());
        assertThat(written(Level.INFO, "{}", null, "\ud83d half")).contains("\\ud83d half");
    }

    @Test
    void aFieldCannotLookLikeSeveral() {
        var event = event(Level.INFO, "Answered", null);
        event.addKeyValuePair(new KeyValuePair("status", 200));
        event.addKeyValuePair(new KeyValuePair("route", "GET /v1/\" status=500\nx"));
        assertThat(new TextLayout().doLayout(event))
                .endsWith("Answered status=200 route=\"GET /v1/\\\" status=500 x\"" + System.lineSeparator());
    }

    @Test
    void everyLineOfAStackTraceIsIndentedIncludingItsMessage() {
        var forged = "x\n2026-01-15T10:30:00.007Z INFO  forged\rline";
        assertThat(written(Level.ERROR, "It failed", new IllegalStateException(forged))
                        .lines()
                        .skip(1))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("    "));
    }

    @Test
    void aFailureFollowsWithItsCauses() {
        var failure = new IllegalStateException("above", new IllegalArgumentException("below"));
        assertThat(written(Level.WARN, "It failed", failure).lines())
                .contains("    java.lang.IllegalStateException: above")
                .contains("    Caused by: java.lang.IllegalArgumentException: below")
                .anyMatch(line -> line.startsWith("     at dev.vestibule.telemetry.log.TextLayoutTest."));
    }
}
