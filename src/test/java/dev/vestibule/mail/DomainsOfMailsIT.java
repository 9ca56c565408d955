package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mail goes only to the domain of the account; one mailbox has one spelling. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DomainsOfMailsIT {
    private final WithMail mail;
    private final TestServer server;
    private TestProject project;

    DomainsOfMailsIT(TestDatabase database) {
        mail = WithMail.start(database);
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
    }

    private Call signUp(String email) {
        return project.post("/v1/auth/signup").json(Map.of("email", email, "password", TestProject.PASSWORD));
    }

    private Call forgot(String email) {
        return project.post("/v1/auth/password/forgot").json(Map.of("email", email));
    }

    /** Mails are sent one after the other: earlier requests have been sent by then, too. */
    private void awaitSent() {
        mail.signUp(project, TestServer.newEmail());
    }

    /** Domains of two owners: the old rules of IDNA map the first to the second, the current rules do not. */
    @ParameterizedTest
    @CsvSource({"stra\u00dfe.test, strasse.test", "\u03c3\u03bf\u03c6\u03cc\u03c2.test, xn--0xalah0b.test"})
    void aCodeIsNeverMailedToAnotherDomain(String domain, String another) {
        var victim = "ceo@" + domain;
        for (var call : List.of(
                signUp(victim),
                forgot(victim),
                project.post("/v1/auth/passwordless/email-otp").json(Map.of("email", victim)),
                project.manage("POST", "/v1/backend/users")
                        .json(Map.of("email", victim, "password", TestProject.PASSWORD)))) {
            assertThat(call.expect(422).failingFields()).containsExactly("email");
        }
        project.asOwner("POST", "/members")
                .json(Map.of("email", victim, "role", "viewer"))
                .expect(422);
        awaitSent();
        assertThat(mail.mailbox().to("ceo@" + another)).isEmpty();
    }

    @Test
    void theAsciiFormOfADeviatingDomainIsMailedUnchanged() {
        signUp("ceo@xn--strae-oqa.test").expect(201);
        assertThat(mail.mailbox().awaitCode("ceo@xn--strae-oqa.test")).isNotEmpty();
    }

    @Test
    void bothFormsOfADomainAreOneAccount() {
        signUp("ann@b\u00fccher.test").expect(201);
        assertThat(mail.mailbox().awaitCode("ann@xn--bcher-kva.test")).isNotEmpty();
        signUp("ann@xn--bcher-kva.test").expect(409);
        signUp("ann@XN--BCHER-KVA.test").expect(409);
        signUp("ann@bu\u0308cher.test").expect(409);
        assertThat(project.trySignIn("ann@xn--bcher-kva.test", TestProject.PASSWORD)
                        .expect(200)
                        .text("user/email"))
                .isEqualTo("ann@b\u00fccher.test");
    }

    /** One mailbox has one budget. */
    @Test
    void noSpellingOfAnAddressIsMailedMoreOftenThanTheAddress() {
        signUp("flood@target.test").expect(201);
        mail.mailbox().awaitCode("flood@target.test");
        for (var spelling : List.of(
                "flood@\uff54arget.test",
                "flood@t\uff41rget.test",
                "flood@target.\uff54\uff45\uff53\uff54",
                "flood@target\uff0etest",
                "flood@t\u1d43rget.test",
                "flood@\ud835\udc2darget.test",
                "\"flood\"@target.test",
                "\"f\\lood\"@target.test",
                "FLOOD@TARGET.test")) {
            forgot(spelling).send();
            project.post("/v1/auth/passwordless/email-otp")
                    .json(Map.of("email", spelling))
                    .send();
        }
        awaitSent();
        assertThat(server.sql()
                        .texts(
                                "SELECT DISTINCT email FROM users WHERE project_id = ?::uuid AND email LIKE '%target%'"
                                        + " OR email LIKE '%flood%'",
                                project.id()))
                .containsExactly("flood@target.test");
        assertThat(mail.mailbox().to("flood@target.test").size()
                        + mail.mailbox().to("\"flood\"@target.test").size()
                        + mail.mailbox().to("\"f\\lood\"@target.test").size())
                .isLessThanOrEqualTo(3); // the sign up's, one reset and one code a minute
    }

    @Test
    void noMailGoesToTheMachinesOfTheRelay() {
        for (var email :
                List.of("root@localhost", "root@mail", "root@[127.0.0.1]", "root@[ipv6:::1]", "root@127.0.0.1")) {
            assertThat(signUp(email).expect(422).failingFields()).containsExactly("email");
        }
    }
}
