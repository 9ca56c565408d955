package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Without an SMTP server. */
@ExtendWith(WithServer.class)
class LogMailIT {
    private static final Pattern CODE = Pattern.compile("\\| {5}([0-9]{6})");

    private final TestServer server;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(LogMailer.class);
    private final AppenderBase<ILoggingEvent> keeper = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
        }
    };

    LogMailIT(TestServer server) {
        this.server = server;
        keeper.start();
        logger.addAppender(keeper);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(keeper);
    }

    @Test
    void aMailIsLoggedInFullWithANoteThatThisIsForDevelopment() {
        var project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("requireEmailVerification", true))
                .expect(200);
        var email = TestServer.newEmail();
        project.signUp(email);

        Eventually.until("it is printed", () -> mailTo(email).contains("| </html>"));
        assertThat(lines).anyMatch(line -> line.contains("for development only"));
        assertThat(mailTo(email))
                .contains("| To: " + email, "| Subject: Your code for A project")
                .contains("| <!DOCTYPE html>");
        var code = mailTo(email).stream()
                .map(CODE::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow();
        project.post("/v1/auth/verify-email")
                .json(Map.of("email", email, "code", code))
                .expect(200);
    }

    /** What is printed from its recipient on; other mails of the server may come before. */
    private List<String> mailTo(String email) {
        return List.copyOf(lines).stream()
                .dropWhile(line -> !line.equals("| To: " + email))
                .toList();
    }

    @Test
    void noMailIsLoggedIfNoCodeIsRequired() {
        var project = server.newProject();
        var email = project.signUp().text("user/email");

        assertThat(server.sql().count("SELECT count(*) FROM email_codes WHERE project_id = ?::uuid", project.id()))
                .isZero();
        assertThat(lines).noneMatch(line -> line.contains(email));
    }
}
