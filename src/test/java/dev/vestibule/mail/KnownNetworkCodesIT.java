package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Strangers use up what an address has of mails and tries, while its owner asks for codes and links at home. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KnownNetworkCodesIT {
    private static final String HOME = "203.0.113.1";
    private static final String STRANGER = "198.51.100.2";
    private static final String CAFE = "192.0.2.3";
    private static final Pattern TOKEN = Pattern.compile("[?&]token=(ml_[A-Za-z0-9_-]{43})");
    private static final String WRONG = "000000";

    private final WithMail mail;
    private final TestServer server;
    private TestProject project;
    private String email;

    KnownNetworkCodesIT(TestDatabase database) {
        mail = WithMail.start(
                database,
                Map.of(
                        "VESTIBULE_HTTP_TRUSTED_PROXIES",
                        "127.0.0.1,::1",
                        "VESTIBULE_LIMITS_WRONG_CODES_PER_HOUR",
                        "60"));
        server = mail.server();
    }

    @AfterAll
    void stop() {
        mail.close();
    }

    @BeforeEach
    void ownerSignsInAtHome() {
        project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("magicLinkUrl", "https://app.example.com/in"))
                .expect(200);
        email = newUserAt(HOME);
    }

    private String newUserAt(String network) {
        var address = TestServer.newEmail();
        project.manage("POST", "/v1/backend/users")
                .json(Map.of("email", address, "password", TestProject.PASSWORD, "emailVerified", true))
                .expect(201);
        project.post("/v1/auth/signin")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", address, "password", TestProject.PASSWORD))
                .expect(200);
        return address;
    }

    private Call ask(String kind, String address, String network) {
        return project.post("/v1/auth/passwordless/" + kind)
                .header("X-Forwarded-For", network)
                .json(Map.of("email", address));
    }

    private Call verify(String address, String code, String network) {
        return project.post("/v1/auth/passwordless/verify")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", address, "code", code));
    }

    private String code(String network) {
        var before = codes().size();
        ask("email-otp", email, network).expect(200);
        Eventually.until("a code comes", () -> codes().size() > before);
        return codes().get(before);
    }

    private List<String> codes() {
        return mail.mailbox().to(email).stream()
                .map(TestMailbox::text)
                .filter(text -> Pattern.compile("\\b\\d{6}\\b").matcher(text).find() && !text.contains("203.0.113"))
                .map(text -> {
                    var found = Pattern.compile("\\b(\\d{6})\\b").matcher(text);
                    return found.find() ? found.group(1) : "";
                })
                .toList();
    }

    /** Four mails, and five wrong codes after each. */
    private void useUpTheDay(String address, String network) {
        for (int mails = 0; mails < 4; mails++) {
            ask("email-otp", address, network).expect(200);
            awaitSent();
            for (int i = 0; i < 5; i++) {
                verify(address, WRONG, network).expect(401);
            }
            mail.passAMinute();
        }
    }

    private void awaitSent() {
        Eventually.until("all mails are sent", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
    }

    @Test
    void strangersWhoUseUpTheDayOfAnAddressKeepItsOwnerOutOfNoKnownNetwork() {
        useUpTheDay(email, STRANGER);
        var atCafe = code(CAFE);
        verify(email, atCafe, CAFE).expect(429);

        mail.passAMinute();
        verify(email, code(HOME), HOME).expect(200);
    }

    @Test
    void strangersNeitherReplaceNorVoidACodeThatWasAskedForAtHome() {
        var code = code(HOME);
        mail.passAMinute();
        ask("email-otp", email, STRANGER).expect(200);
        Eventually.until("the stranger's mail is sent", () -> codes().size() == 2);
        for (int i = 0; i < 10; i++) {
            verify(email, WithMail.anotherThan(code), STRANGER).expect(401);
        }
        verify(email, code, HOME).expect(200);
    }

    @Test
    void aCodeThatWasAskedForAtHomeWorksElsewhereToo() {
        verify(email, code(HOME), CAFE).expect(200);
    }

    @Test
    void strangersWhoUseUpTheMailsOfTheHourKeepNoLinkFromHome() {
        for (int i = 0; i < 12; i++) {
            ask("magic-link", email, STRANGER).expect(200);
            awaitSent();
            mail.passAMinute();
        }
        var before = links().size();
        ask("magic-link", email, HOME).expect(200);
        Eventually.until("the link comes", () -> links().size() > before);
        project.post("/v1/auth/passwordless/verify")
                .header("X-Forwarded-For", HOME)
                .json(Map.of("token", links().get(before)))
                .expect(200);
    }

    private List<String> links() {
        return mail.mailbox().to(email).stream()
                .map(TestMailbox::text)
                .map(TOKEN::matcher)
                .filter(matcher -> matcher.find())
                .map(matcher -> matcher.group(1))
                .toList();
    }

    @Test
    void strangersWhoUseUpTheMailsOfTheHourKeepNoResetFromHome() {
        for (int i = 0; i < 12; i++) {
            forgot(STRANGER);
            mail.passAMinute();
        }
        Eventually.until("all mails are sent", () -> server.sql().count("SELECT count(*) FROM messages") == 0);
        var before = resets().size();
        forgot(HOME);
        Eventually.until("the mail comes", () -> resets().size() > before);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", resets().get(before), "password", "another horse battery"))
                .expect(200);
        // The reset ended the code that the stranger had asked for.
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", email, "code", resets().get(before - 1), "password", "a stranger's password"))
                .expect(401);
    }

    private void forgot(String network) {
        project.post("/v1/auth/password/forgot")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", email))
                .expect(200);
    }

    private List<String> resets() {
        var code = Pattern.compile("\\b([0-9A-Z]{4,5}(?:-[0-9A-Z]{4,5}){2})\\b");
        return mail.mailbox().to(email).stream()
                .map(TestMailbox::text)
                .map(code::matcher)
                .filter(matcher -> matcher.find())
                .map(matcher -> matcher.group(1))
                .toList();
    }

    @Test
    void aKnownNetworkHasTwentyTriesOfItsOwnAndNoMore() {
        useUpTheDay(email, STRANGER);
        for (int mails = 0; mails < 4; mails++) {
            var code = code(HOME);
            for (int i = 0; i < 5; i++) {
                verify(email, WithMail.anotherThan(code), HOME)
                        .expect(429); // as a stranger's is, though it was compared
            }
            mail.passAMinute();
        }
        verify(email, code(HOME), HOME).expect(429);
    }

    /** Otherwise a neighbour could find out who has an account and signs in from there. */
    @Test
    void aWrongCodeTellsNobodyWhichNetworksAnAccountKnows() {
        var unknown = TestServer.newEmail();
        for (var network : new String[] {STRANGER, HOME, HOME, STRANGER, CAFE, HOME}) {
            ask("email-otp", email, network).expect(200);
            ask("email-otp", unknown, network).expect(200);
            for (int i = 0; i < 6; i++) {
                var known = verify(email, WRONG, network).send();
                var other = verify(unknown, WRONG, network).send();
                assertThat(known.status()).isEqualTo(other.status());
                assertThat(known.body()).isEqualTo(other.body());
            }
            mail.passAMinute();
        }
    }

    /** Anyone may have made it, and then knows its network: so each such account would bring twenty guesses. */
    @Test
    void ofAnEmailThatWasNeverProvedTheProjectsBudgetHoldsKnownNetworksToo() {
        for (int accounts = 0; accounts < 13; accounts++) {
            var address = signUpAt(STRANGER);
            for (int i = 0; i < 5; i++) {
                verifyEmail(address, WRONG, STRANGER);
            }
        }
        var last = signUpAt(STRANGER);
        assertThat(verifyEmail(last, mail.mailbox().awaitCode(last), STRANGER).status())
                .isEqualTo(429);
    }

    private String signUpAt(String network) {
        var address = TestServer.newEmail();
        project.post("/v1/auth/signup")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", address, "password", TestProject.PASSWORD))
                .expect(201);
        return address;
    }

    private Response verifyEmail(String address, String code, String network) {
        return project.post("/v1/auth/verify-email")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", address, "code", code))
                .send();
    }

    /** They ask for a change of their own accounts' emails to the victim's address. */
    @Test
    void wrongCodesForChangesOfEmailsToAnAddressUseUpNothingOfItsOwnAccount() {
        for (int accounts = 0; accounts < 4; accounts++) {
            var user = project.signUp();
            change(user, email).expect(200);
            for (int i = 0; i < 5; i++) {
                tryChange(user, WRONG).expect(401);
            }
            mail.passAMinute();
        }
        verify(email, code(CAFE), CAFE).expect(200);
    }

    @Test
    void whoGuessesAtChangesOfEmailsIsStoppedWhateverAddressesTheyGoTo() {
        var user = project.signUp();
        for (int addresses = 0; addresses < 4; addresses++) {
            change(user, TestServer.newEmail()).expect(200);
            for (int i = 0; i < 5; i++) {
                tryChange(user, WRONG).expect(401);
            }
            mail.passAMinute();
        }
        change(user, TestServer.newEmail()).expect(200);
        tryChange(user, WRONG).expect(429);

        var another = project.signUp();
        change(another, TestServer.newEmail()).expect(200);
        tryChange(another, WRONG).expect(401);
    }

    private Call change(Response user, String newEmail) {
        return server.api()
                .post("/v1/auth/me/email")
                .bearer(user.accessToken())
                .json(Map.of("email", newEmail, "currentPassword", TestProject.PASSWORD));
    }

    private Call tryChange(Response user, String code) {
        return server.api()
                .post("/v1/auth/me/email/verify")
                .bearer(user.accessToken())
                .json(Map.of("code", code));
    }

    @Test
    void supportGivesAnAccountItsTriesAgainInKnownNetworksToo() {
        for (int mails = 0; mails < 4; mails++) {
            var code = code(HOME);
            for (int i = 0; i < 5; i++) {
                verify(email, WithMail.anotherThan(code), HOME).expect(401);
            }
            mail.passAMinute();
        }
        verify(email, code(HOME), HOME).expect(429);
        mail.passAMinute();
        var user = server.sql()
                .texts("SELECT id::text FROM users WHERE email = ?", email)
                .get(0);
        project.manage("POST", "/v1/dashboard/users/" + user + "/unlock").expect(200);
        verify(email, code(HOME), HOME).expect(200);
    }
}
