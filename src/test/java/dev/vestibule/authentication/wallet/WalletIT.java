package dev.vestibule.authentication.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWallet;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** People sign in with wallets, and attackers with other people's. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WalletIT {
    private static final String WEB3 = "/v1/auth/web3";
    private static final String ORIGIN = "https://app.example.com";

    private final WithMail world;
    private final TestServer server;
    private TestProject project;
    private TestWallet wallet = TestWallet.evm();

    WalletIT(TestDatabase database) {
        world = WithMail.start(database);
        server = world.server();
    }

    @AfterAll
    void stop() {
        world.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        set(Map.of("factors", Map.of("web3", true), "allowedOrigins", List.of(ORIGIN)));
        wallet = TestWallet.evm();
    }

    private void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    private static Call nonce(TestProject where, TestWallet who) {
        return where.post(WEB3 + "/nonce")
                .json(Map.of("address", who.address(), "chain", who.chain(), "walletType", "metamask", "chainId", 10));
    }

    private String message(TestWallet who) {
        return nonce(project, who).expect(200).text("message");
    }

    private Call verify(Map<String, Object> signed) {
        return project.post(WEB3 + "/verify").json(signed);
    }

    private Response signIn(TestWallet who) {
        return verify(who.signed(message(who))).expect(200);
    }

    private Call link(Response user, TestWallet who) {
        return server.api()
                .post(WEB3 + "/wallets/link")
                .bearer(user.accessToken())
                .json(who.signed(message(who)));
    }

    private JsonNode wallets(Response user) {
        return server.api()
                .get(WEB3 + "/wallets")
                .bearer(user.accessToken())
                .expect(200)
                .json();
    }

    private Call unlink(Response user, String id) {
        return server.api().call("DELETE", WEB3 + "/wallets/" + id).bearer(user.accessToken());
    }

    private static Map<String, Object> with(Map<String, Object> signed, String field, Object value) {
        var changed = new HashMap<>(signed);
        changed.put(field, value);
        return changed;
    }

    @Test
    void aWalletSignsUpAndThenSignsIn() {
        for (var who : List.of(wallet, TestWallet.solana())) {
            var first = signIn(who);
            var again = signIn(who);

            assertThat(again.text("user/id")).isEqualTo(first.text("user/id"));
            assertThat(first.json().at("/user/email").isNull()).isTrue();
            assertThat(Jwt.parse(again.accessToken()).claims().path("amr")).hasToString("[\"swk\"]");
            project.me(again.accessToken()).expect(200);
            assertThat(wallets(again)).hasSize(1);
            assertThat(wallets(again).at("/0/address").asText()).isEqualToIgnoringCase(who.address());
            assertThat(wallets(again).at("/0/chainId").asInt()).isEqualTo(10);
        }
    }

    @Test
    void theMessageNamesDomainAddressChainAndNonce() {
        var answer = nonce(project, wallet).header("Origin", ORIGIN).expect(200);
        assertThat(answer.text("message").lines())
                .startsWith("app.example.com wants you to sign in with your Ethereum account:")
                .contains("URI: " + ORIGIN, "Version: 1", "Chain ID: 10", "Nonce: " + answer.text("nonce"))
                .anyMatch(line -> line.startsWith("Expiration Time: "));
        assertThat(message(TestWallet.solana()))
                .startsWith("app.example.com wants you to sign in with your Solana account:\n")
                .contains("\nChain ID: mainnet\n");
    }

    @Test
    void aMessageSignsInOnce() {
        var signed = wallet.signed(message(wallet));
        verify(signed).expect(200);
        assertThat(verify(signed).expect(401).text("code")).isEqualTo("invalid_wallet_signature");
    }

    @Test
    void ofFiftySignInsAtOnceWithOneMessageOneSucceeds() {
        signIn(wallet);
        var signed = wallet.signed(message(wallet));
        assertThat(Parallel.send(50, number -> verify(signed)))
                .extracting(Response::status)
                .filteredOn(status -> status == 200)
                .hasSize(1);
    }

    @Test
    void aNewWalletThatSignsInTwiceAtOnceIsOneUser() {
        var messages = List.of(message(wallet), message(wallet), message(wallet), message(wallet));
        assertThat(Parallel.send(4, number -> verify(wallet.signed(messages.get(number)))))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200))
                .extracting(answer -> answer.text("user/id"))
                .containsOnly(signIn(wallet).text("user/id"));
    }

    @Test
    void aTryWithAWrongSignatureUsesUpTheMessage() {
        var message = message(wallet);
        verify(with(wallet.signed(message), "signature", TestWallet.evm().sign(message)))
                .expect(401);
        verify(wallet.signed(message)).expect(401);
    }

    @Test
    void onlyTheServersOwnMessageSignsIn() {
        var message = message(wallet);
        for (var changed : List.of(
                message.replace("app.example.com", "evil.example.com"),
                message.replace("Chain ID: 10", "Chain ID: 1"),
                message + "\n",
                message.replace("\n", "\r\n"),
                "Sign in")) {
            verify(wallet.signed(changed)).expect(401);
        }
        verify(wallet.signed(message)).expect(200);
    }

    @Test
    void aMessageOfAnotherProjectSignsInNowhereElse() {
        var other = server.newProject();
        other.asOwner("PATCH", "").json(Map.of("factors", Map.of("web3", true))).expect(200);
        var signed = wallet.signed(nonce(other, wallet).expect(200).text("message"));
        verify(signed).expect(401);
        other.post(WEB3 + "/verify").json(signed).expect(200);
    }

    @Test
    void aMessageIsForOneAddressAndChain() {
        var message = message(wallet);
        var other = TestWallet.evm();
        verify(other.signed(message)).expect(401);
        verify(with(
                        with(wallet.signed(message), "chain", "solana"),
                        "address",
                        TestWallet.solana().address()))
                .expect(401);
    }

    @Test
    void aMessageExpiresAfterTenMinutes() {
        var signed = wallet.signed(message(wallet));
        world.clock().advance(Duration.ofMinutes(10).plusSeconds(1));
        verify(signed).expect(401);
    }

    @Test
    void aProjectWithoutWalletsRefusesTheirOperations() {
        var user = signIn(wallet);
        var signed = wallet.signed(message(wallet));
        set(Map.of("factors", Map.of("web3", false)));
        nonce(project, wallet).expect(404);
        verify(signed).expect(404);
        server.api().get(WEB3 + "/wallets").bearer(user.accessToken()).expect(404);
        project.me(user.accessToken()).expect(200);
        assertThat(project.get("/v1/auth/branding")
                        .expect(200)
                        .json()
                        .at("/showWeb3")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aProjectWithoutPasswordlessSignUpKnowsOnlyItsWallets() {
        signIn(wallet);
        set(Map.of("passwordlessSignUp", false));
        signIn(wallet);
        var stranger = TestWallet.evm();
        verify(stranger.signed(message(stranger))).expect(401);
    }

    @Test
    void aProjectThatRequiresAVerifiedEmailRefusesAWalletWithoutOne() {
        var user = signIn(wallet);
        set(Map.of("requireEmailVerification", true, "confirm", true));
        assertThat(verify(wallet.signed(message(wallet))).expect(403).text("code"))
                .isEqualTo("verification_required");
        var stranger = TestWallet.evm();
        verify(stranger.signed(message(stranger))).expect(403);
        assertThat(user.text("user/id")).isNotEmpty();
    }

    @Test
    void aBannedUserDoesNotSignInWithAWallet() {
        var user = signIn(wallet);
        project.manage("POST", "/v1/backend/users/" + user.text("user/id") + "/ban")
                .json(Map.of())
                .expect(200);
        assertThat(verify(wallet.signed(message(wallet))).expect(403).text("code"))
                .isEqualTo("account_banned");
    }

    private record Owner(String email, Response tokens, Authenticator app) {}

    /** With the wallet, an email, a password and one-time passwords. */
    private Owner ownerWithOneTimePasswords() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        server.proveEmail(email);
        link(user, wallet).expect(200);
        var setUp = project.post("/v1/auth/mfa/totp/setup")
                .bearer(user.accessToken())
                .expect(200);
        var app = new Authenticator(setUp.text("secret"), world.clock());
        project.post("/v1/auth/mfa/totp/verify-setup")
                .bearer(user.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        world.clock().advance(Duration.ofMinutes(1));
        return new Owner(email, user, app);
    }

    private Call enterCode(Response asked, Owner owner) {
        return project.post("/v1/auth/mfa/verify")
                .json(Map.of(
                        "mfaToken", asked.text("mfaToken"), "code", owner.app().code()));
    }

    @Test
    void guessesOfThePasswordDoNotStopAWalletAndACode() {
        var owner = ownerWithOneTimePasswords();
        server.sql().update("DELETE FROM sign_in_networks WHERE project_id = ?::uuid", project.id());
        for (int i = 0; i < 10; i++) {
            project.trySignIn(owner.email(), "not the password").expect(401);
        }
        project.trySignIn(owner.email(), TestProject.PASSWORD).expect(429);
        enterCode(signIn(wallet), owner).expect(200);
        project.trySignIn(owner.email(), TestProject.PASSWORD).expect(429);
    }

    @Test
    void aWalletThatIsUnlinkedBeforeTheCodeOpensNoSession() {
        var owner = ownerWithOneTimePasswords();
        var asked = signIn(wallet);
        var id = wallets(owner.tokens()).at("/0/id").asText();
        project.manage("DELETE", "/v1/backend/users/" + owner.tokens().text("user/id") + "/web3-wallets/" + id)
                .expect(200);
        assertThat(enterCode(asked, owner).expect(401).text("code")).isEqualTo("invalid_mfa_token");
    }

    @Test
    void linkingAWalletAndSigningInWithItAtOnceDoNotBlockEachOther() {
        var user = project.signUp();
        link(user, wallet).expect(200);
        assertThat(Parallel.send(
                        8, number -> number % 2 == 0 ? link(user, wallet) : verify(wallet.signed(message(wallet)))))
                .extracting(Response::status)
                .containsOnly(200);
    }

    @Test
    void aUserWithOneTimePasswordsIsAskedForACodeAsWell() {
        var owner = ownerWithOneTimePasswords();
        var asked = signIn(wallet);
        assertThat(asked.json().has("accessToken")).isFalse();
        var opened = enterCode(asked, owner).expect(200);
        assertThat(Jwt.parse(opened.accessToken()).claims().path("amr")).hasToString("[\"swk\",\"otp\",\"mfa\"]");
    }

    @Test
    void aUserLinksAWalletAndUnlinksIt() {
        var user = project.signUp();
        var linked = link(user, wallet).expect(200);
        assertThat(link(user, wallet).expect(200).text("id")).isEqualTo(linked.text("id"));
        assertThat(signIn(wallet).text("user/id")).isEqualTo(user.text("user/id"));

        unlink(user, linked.text("id")).expect(200);
        assertThat(wallets(user)).isEmpty();
        assertThat(signIn(wallet).text("user/id")).isNotEqualTo(user.text("user/id"));
    }

    @Test
    void theOtherPathLinksToo() {
        var user = project.signUp();
        server.api()
                .post(WEB3 + "/link")
                .bearer(user.accessToken())
                .json(wallet.signed(message(wallet)))
                .expect(200);
        assertThat(wallets(user)).hasSize(1);
    }

    @Test
    void aWalletOfAnotherUserIsNotLinked() {
        signIn(wallet);
        assertThat(link(project.signUp(), wallet).expect(409).text("code")).isEqualTo("identity_taken");
    }

    @Test
    void nobodyUnlinksTheWalletOfAnotherUser() {
        var owner = signIn(wallet);
        var id = wallets(owner).at("/0/id").asText();
        unlink(project.signUp(), id).expect(404);
        unlink(owner, UUID.randomUUID().toString()).expect(404);
        assertThat(wallets(owner)).hasSize(1);
    }

    @Test
    void theLastWayToSignInIsNotUnlinked() {
        var user = signIn(wallet);
        var id = wallets(user).at("/0/id").asText();
        assertThat(unlink(user, id).expect(409).text("code")).isEqualTo("last_sign_in_method");
        var second = TestWallet.solana();
        link(user, second).expect(200);
        unlink(user, id).expect(200);
    }

    @Test
    void linkingNeedsARecentSignIn() {
        var user = project.signUp();
        var id = link(user, TestWallet.evm()).expect(200).text("id");
        world.clock().advance(Duration.ofMinutes(11));
        assertThat(link(user, wallet).expect(403).text("code")).isEqualTo("reauthentication_required");
        unlink(user, id).expect(403);
    }

    @Test
    void aUserHasAtMostTwentyWallets() {
        var user = project.signUp();
        for (int number = 0; number < 20; number++) {
            link(user, TestWallet.solana()).expect(200);
        }
        assertThat(link(user, wallet).expect(409).text("code")).isEqualTo("limit_reached");
    }

    /** A thief with a stolen access token has added it. */
    @Test
    void theOwnerUndoesALinkWithTheMailThatReportsIt() {
        var email = TestServer.newEmail();
        var user = project.signUp(email);
        world.mailbox().await(email, 1);
        server.proveEmail(email);
        link(user, wallet).expect(200);
        var mail = TestMailbox.text(world.mailbox().await(email, 2));
        assertThat(mail).contains("Ethereum wallet 0x");
        var token = Pattern.compile("undo_[A-Za-z0-9_-]{86}").matcher(mail);
        assertThat(token.find()).isTrue();

        project.post("/v1/auth/email/undo").json(Map.of("token", token.group())).expect(200);
        assertThat(signIn(wallet).text("user/id")).isNotEqualTo(user.text("user/id"));
    }

    /** A stranger has signed up with the email, and linked a wallet. */
    @Test
    void theFirstProofOfTheEmailRemovesAStrangersWallets() {
        var email = TestServer.newEmail();
        var stranger = project.signUp(email);
        link(stranger, wallet).expect(200);
        project.post("/v1/auth/passwordless/email-otp")
                .json(Map.of("email", email))
                .expect(200);
        var owner = project.post("/v1/auth/passwordless/verify")
                .json(Map.of("email", email, "code", world.mailbox().awaitCodeAmongNotices(email, 2)))
                .expect(200);
        assertThat(owner.text("user/id")).isEqualTo(stranger.text("user/id"));
        assertThat(wallets(owner)).isEmpty();
        assertThat(events("auth.web3.removed").at("/0/metadata/reason").asText())
                .isEqualTo("email_claimed");
    }

    @Test
    void whatHappensToWalletsIsInTheAuditLog() {
        var user = signIn(wallet);
        link(user, TestWallet.solana()).expect(200);
        unlink(user, wallets(user).at("/0/id").asText()).expect(200);
        var message = message(wallet);
        verify(with(wallet.signed(message), "signature", "0x")).expect(401);
        assertThat(events("auth.web3.verify")).hasSize(2);
        assertThat(events("auth.web3.removed")).hasSize(1);
        assertThat(events("auth.signup")).hasSize(1);
    }

    private JsonNode events(String name) {
        return project.manage("GET", "/v1/backend/audit-logs?event=" + name)
                .expect(200)
                .json()
                .path("data");
    }

    @Test
    void managementListsAndUnlinksTheWalletsOfAUser() {
        var user = signIn(wallet);
        var path = "/users/" + user.text("user/id") + "/web3-wallets";
        var listed = project.manage("GET", "/v1/backend" + path).expect(200).json();
        assertThat(listed).hasSize(1);
        assertThat(project.manage("GET", "/v1/dashboard" + path).expect(200).json())
                .isEqualTo(listed);
        project.manage("GET", "/v1/backend/users/" + UUID.randomUUID() + "/web3-wallets")
                .expect(404);

        var one = path + "/" + listed.at("/0/id").asText();
        server.newProject().manage("DELETE", "/v1/backend" + one).expect(404);
        project.manage("DELETE", "/v1/backend" + one).expect(200);
        project.manage("DELETE", "/v1/dashboard" + one).expect(404);
        assertThat(wallets(user)).isEmpty();
        assertThat(events("admin.user.web3.removed")).hasSize(1);
    }

    @Test
    void aServerChecksTheSignatureOfAnyText() {
        var text = "I agree to the terms of 2026. ✓";
        for (var who : List.of(wallet, TestWallet.solana())) {
            var signed = new HashMap<>(who.signed(text));
            signed.remove("walletType");
            var answer = project.manage("POST", "/v1/backend/web3/verify-signature")
                    .json(signed)
                    .expect(200);
            assertThat(answer.json().path("valid").asBoolean()).isTrue();
            assertThat(answer.text("address")).isEqualToIgnoringCase(who.address());
            assertThat(project.manage("POST", "/v1/backend/web3/verify-signature")
                            .json(with(signed, "message", text + "."))
                            .expect(200)
                            .json()
                            .path("valid")
                            .asBoolean())
                    .isFalse();
        }
    }

    @Test
    void oddInputIsNamed() {
        var good = wallet.signed("text");
        assertThat(verify(with(good, "address", "0x12")).expect(422).failingFields())
                .containsExactly("address");
        assertThat(verify(with(good, "address", "0x" + "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"))
                        .expect(422)
                        .failingFields())
                .containsExactly("address");
        assertThat(verify(with(good, "chain", "bitcoin")).expect(422).failingFields())
                .contains("chain");
        assertThat(verify(with(good, "walletType", "none")).expect(422).failingFields())
                .containsExactly("walletType");
        assertThat(verify(with(good, "message", "x".repeat(5000))).expect(422).failingFields())
                .containsExactly("message");
        assertThat(verify(with(good, "signature", 5)).expect(422).failingFields())
                .containsExactly("signature");
        verify(with(good, "signature", "\u0000")).expect(401);
    }
}
