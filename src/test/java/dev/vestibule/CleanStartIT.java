package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;

/** A warning in the log is for what an operator should look at. */
@ExtendWith(WithServer.class)
@Isolated("it reads what the whole process logs")
class CleanStartIT {
    /** The machine stood still; servers of other classes go on with webhooks that fail; responses are validated. */
    private static final List<String> OTHERS = List.of("BlockedThreadChecker", "DeliverySender", "networknt");

    private final TestDatabase database;

    CleanStartIT(TestDatabase database) {
        this.database = database;
    }

    @Test
    void normalOperationLogsNoWarning() {
        var events = loggedDuring(() -> {
            try (var server = TestServer.start(database, Map.of())) {
                var project = server.newProject();
                var signedUp = project.signUp();
                project.refresh(signedUp.refreshToken()).expect(200);
                project.signOut(signedUp.accessToken()).expect(200);
                project.me(signedUp.accessToken()).expect(401);
            }
        });
        assertThat(events)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .filteredOn(event -> OTHERS.stream().noneMatch(event.getLoggerName()::contains))
                .isEmpty();
    }

    private static List<ILoggingEvent> loggedDuring(Runnable work) {
        try (var lines = new LoggedLines(Logger.ROOT_LOGGER_NAME)) {
            work.run();
            return lines.all();
        }
    }
}
