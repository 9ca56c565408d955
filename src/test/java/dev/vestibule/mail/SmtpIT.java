package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.configuration.GreenMailConfiguration;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How the server authenticates to SMTP servers, and what it does not send without encryption. */
@ExtendWith(WithServer.class)
class SmtpIT {
    private final TestDatabase database;

    SmtpIT(TestDatabase database) {
        this.database = database;
    }

    private static GreenMail start(String protocol) {
        var mail = new GreenMail(new ServerSetup(0, "localhost", protocol));
        mail.withConfiguration(new GreenMailConfiguration().withUser("relay@example.com", "relay", "its password"));
        mail.start();
        return mail;
    }

    /** Signs a user up, and returns how many mails have arrived for that address after the first attempts. */
    private int arrived(GreenMail mail, int port, String url) {
        try (var server = TestServer.start(database, Map.of("VESTIBULE_SMTP_URL", url.replace("PORT", "" + port)))) {
            var email = server.newProject().signUp().text("user/email");
            Eventually.until(
                    "the mail was tried",
                    () -> server.sql()
                                    .count("SELECT count(*) FROM messages WHERE attempts = 0"
                                            + " OR next_attempt_at > now() + interval '30 seconds'")
                            == 0);
            return mail.getReceivedMessagesForDomain(email).length;
        } finally {
            mail.stop();
        }
    }

    @Test
    void aMailIsSentWithUserAndPassword() {
        var mail = start(ServerSetup.PROTOCOL_SMTP);
        assertThat(arrived(
                        mail, mail.getSmtp().getPort(), "smtp://relay:its%20password@localhost:PORT?starttls=disabled"))
                .isOne();
    }

    @Test
    void aWrongPasswordSendsNothing() {
        var mail = start(ServerSetup.PROTOCOL_SMTP);
        assertThat(arrived(mail, mail.getSmtp().getPort(), "smtp://relay:wrong@localhost:PORT?starttls=disabled"))
                .isZero();
    }

    @Test
    void nothingIsSentUnencryptedIfEncryptionIsRequired() {
        var mail = start(ServerSetup.PROTOCOL_SMTP);
        assertThat(arrived(mail, mail.getSmtp().getPort(), "smtp://localhost:PORT?starttls=required"))
                .isZero();
        var another = start(ServerSetup.PROTOCOL_SMTP);
        assertThat(arrived(another, another.getSmtp().getPort(), "smtp://relay:its%20password@localhost:PORT"))
                .isZero();
    }

    @Test
    void anUntrustedCertificateIsRejected() {
        var mail = start(ServerSetup.PROTOCOL_SMTPS);
        assertThat(arrived(mail, mail.getSmtps().getPort(), "smtps://localhost:PORT"))
                .isZero();
    }
}
