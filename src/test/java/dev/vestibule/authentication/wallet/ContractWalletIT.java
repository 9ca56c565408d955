package dev.vestibule.authentication.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWallet;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wallets that are contracts, on two chains whose nodes the operator has named. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractWalletIT {
    private static final String VALID = answer("0x1626ba7e" + "0".repeat(56));
    private static final String INVALID = answer("0xffffffff" + "0".repeat(56));
    private static final String SIGNATURE = "0x" + "ab".repeat(97);

    private final TestReceiver node = TestReceiver.start();
    private final TestServer server;
    private TestProject project;
    private String address = "";

    ContractWalletIT(TestDatabase database) {
        server = TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_WALLETS_NODES",
                        "10=" + node.url("/ten") + ", 20=" + node.url("/twenty"),
                        "VESTIBULE_WALLETS_TIMEOUT_SECONDS",
                        "1"));
    }

    @AfterAll
    void stop() {
        server.close();
        node.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("factors", Map.of("web3", true)))
                .expect(200);
        address = TestWallet.evm().address();
        node.answer("/ten", 200, VALID);
        node.answer("/twenty", 200, VALID);
    }

    private static String answer(String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"" + result + "\"}";
    }

    private Call signIn(int chainId) {
        var message = project.post("/v1/auth/web3/nonce")
                .json(Map.of("address", address, "chain", "evm", "chainId", chainId))
                .expect(200)
                .text("message");
        return project.post("/v1/auth/web3/verify")
                .json(Map.of("address", address, "chain", "evm", "message", message, "signature", SIGNATURE));
    }

    private JsonNode lastRequest(String path) {
        var requests = node.to(path);
        return Json.parse(Buffer.buffer(requests.get(requests.size() - 1).body()));
    }

    @Test
    void aContractSignsInWithTheAnswerOfItsChain() {
        var user = signIn(10).expect(200).text("user/id");
        assertThat(signIn(10).expect(200).text("user/id")).isEqualTo(user);

        var asked = lastRequest("/ten");
        assertThat(asked.path("method").asText()).isEqualTo("eth_call");
        assertThat(asked.at("/params/0/to").asText()).isEqualToIgnoringCase(address);
        assertThat(asked.at("/params/0/data").asText())
                .startsWith("0x1626ba7e")
                .endsWith("0".repeat(62) + "40" + "0".repeat(62) + "61" + "ab".repeat(97) + "0".repeat(62))
                .hasSize(2 + 8 + 64 * 3 + 4 * 64);
    }

    @Test
    void aContractThatRefusesDoesNotSignIn() {
        node.answer("/ten", 200, INVALID);
        signIn(10).expect(401);
        node.answer("/ten", 200, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":3,\"message\":\"reverted\"}}");
        signIn(10).expect(401);
    }

    /** It may have been deployed by somebody else. */
    @Test
    void aContractOfTheSameAddressOnAnotherChainIsAnotherWallet() {
        signIn(10).expect(200);
        assertThat(signIn(20).expect(401).text("code")).isEqualTo("invalid_wallet_signature");
    }

    @Test
    void aContractDoesNotSignInForTheKeyOfItsAddress() {
        var wallet = TestWallet.evm();
        var message = project.post("/v1/auth/web3/nonce")
                .json(Map.of("address", wallet.address(), "chain", "evm", "chainId", 10))
                .expect(200)
                .text("message");
        project.post("/v1/auth/web3/verify").json(wallet.signed(message)).expect(200);
        address = wallet.address();
        signIn(10).expect(401);
    }

    @Test
    void aChainWithoutANodeHasOnlyKeys() {
        var before = node.count();
        signIn(30).expect(401);
        assertThat(node.count()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"result\":5}", "{\"result\":\"0x1626ba7e\"}"})
    void anOddAnswerSignsInNobody(String answer) {
        node.answer("/ten", 200, answer);
        assertThat(signIn(10).send().status()).isIn(401, 503);
    }

    @Test
    void aNodeThatFailsIsNoRefusal() {
        node.answer("/ten", 500, VALID);
        signIn(10).expect(503);
        node.hang("/ten");
        assertThat(signIn(10).expect(503).text("code")).isEqualTo("unavailable");
    }

    @Test
    void aServerAsksTheContractOfTheChainThatItNames() {
        var body = Map.of("address", address, "chain", "evm", "message", "any", "signature", SIGNATURE);
        var valid = project.manage("POST", "/v1/backend/web3/verify-signature")
                .json(Map.of(
                        "address", address, "chain", "evm", "message", "any", "signature", SIGNATURE, "chainId", 20))
                .expect(200);
        assertThat(valid.json().path("valid").asBoolean()).isTrue();
        assertThat(project.manage("POST", "/v1/backend/web3/verify-signature")
                        .json(body)
                        .expect(200)
                        .json()
                        .path("valid")
                        .asBoolean())
                .isFalse();
    }
}
