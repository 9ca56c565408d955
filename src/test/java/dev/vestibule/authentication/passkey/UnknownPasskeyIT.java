package dev.vestibule.authentication.passkey;

import static dev.vestibule.fixture.PasskeyDevice.BACKUP_ELIGIBLE;
import static dev.vestibule.fixture.PasskeyDevice.PRESENT;
import static dev.vestibule.fixture.PasskeyDevice.VERIFIED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.PasskeyDevice.Kind;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An attacker asks for an email's passkeys, and tries to learn from all kinds of responses whether they are real or
 * decoys.
 */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnknownPasskeyIT {
    private static final String ORIGIN = "https://app.example.com";
    private static final String PASSKEYS = "/v1/auth/passkeys";

    /** They differ between any two responses. */
    private static final List<String> OF_EACH_ANSWER =
            List.of("date", "x-request-id", "ratelimit", "traceparent", "content-length");

    private final TestServer server;
    private TestProject project;
    private String email = "";

    UnknownPasskeyIT(TestDatabase database) {
        server = TestServer.start(database, Map.of());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        set(Map.of("allowedOrigins", List.of(ORIGIN)));
        email = TestServer.newEmail();
    }

    private void set(Map<String, ?> settings) {
        project.asOwner("PATCH", "").json(settings).expect(200);
    }

    private Response registerAt(Response tokens, PasskeyDevice device) {
        var options = server.api()
                .post(PASSKEYS + "/register/options")
                .bearer(tokens.accessToken())
                .expect(200)
                .json()
                .path("options");
        return server.api()
                .post(PASSKEYS + "/register/verify")
                .bearer(tokens.accessToken())
                .json(device.create(options))
                .send();
    }

    private PasskeyDevice registered(Kind kind) {
        var device = new PasskeyDevice(ORIGIN, kind);
        assertThat(registerAt(project.signUp(email), device).status()).isEqualTo(200);
        return device;
    }

    private JsonNode optionsFor(String asked) {
        return project.post(PASSKEYS + "/authenticate/options")
                .json(Map.of("email", asked))
                .expect(200)
                .json()
                .path("options");
    }

    private static byte[] listed(JsonNode options) {
        return PasskeyDevice.decode(options.at("/allowCredentials/0/id").asText());
    }

    private String verify(Object body) {
        return shown(project.post(PASSKEYS + "/authenticate/verify").json(body).send());
    }

    /** Everything that a client sees. */
    private static String shown(Response answer) {
        var headers = new TreeMap<>(answer.headers());
        headers.keySet().removeAll(OF_EACH_ANSWER);
        return answer.status() + " " + headers + " " + answer.body();
    }

    private static Named<Consumer<PasskeyDevice>> case_(String name, Consumer<PasskeyDevice> change) {
        return Named.of(name, change);
    }

    private static UnaryOperator<byte[]> flipped(int at) {
        return bytes -> {
            var other = bytes.clone();
            other[Math.floorMod(at, other.length)] ^= 1;
            return other;
        };
    }

    static List<Named<Consumer<PasskeyDevice>>> defects() {
        return List.of(
                case_("none but the key", device -> {}),
                case_("an origin of nobody", device -> device.at("https://evil.example")),
                case_("an origin in clear", device -> device.at("http://app.example.com")),
                case_("an origin that is no URL", device -> device.at("null")),
                case_("a frame of another origin", device -> device.clientData(",\"crossOrigin\":true")),
                case_(
                        "a top origin",
                        device ->
                                device.clientData(",\"crossOrigin\":false,\"topOrigin\":\"https://app.example.com\"")),
                case_("another ceremony", device -> device.type("webauthn.create")),
                case_("no ceremony", device -> device.type("")),
                case_("a different domain", device -> device.rpId("example.com")),
                case_("nobody present", device -> device.flags(VERIFIED)),
                case_("nobody verified", device -> device.flags(PRESENT)),
                case_("eligible for backup", device -> device.flags(PRESENT | VERIFIED | BACKUP_ELIGIBLE)),
                case_("backed up and not eligible", device -> device.flags(PRESENT | VERIFIED | 0x10)),
                case_("a signature with another bit", device -> device.signature(flipped(-1))),
                case_("a signature of another form", device -> device.signature(flipped(0))),
                case_("a signature cut short", device -> device.signature(bytes -> Arrays.copyOf(bytes, 10))),
                case_("a signature of zeros", device -> device.signature(bytes -> new byte[64])),
                case_("a count that goes back", device -> device.count(3)),
                case_("a user handle of nobody", device -> device.userHandle(new byte[32])),
                case_("no user handle", device -> device.userHandle(null)),
                case_("authenticator data of one byte", device -> device.authenticatorData(bytes -> new byte[1])),
                case_("authenticator data cut short", device -> device.authenticatorData(b -> Arrays.copyOf(b, 36))),
                case_("authenticator data too long", device -> device.authenticatorData(b -> Arrays.copyOf(b, 90))),
                case_("extensions that are none", device -> device.flags(PRESENT | VERIFIED | 0x80)));
    }

    /** The attacker has neither key; the case of the counter is just another wrong signature. */
    @ParameterizedTest
    @MethodSource("defects")
    void noDefectDistinguishesARealPasskeyFromADecoy(Consumer<PasskeyDevice> change) {
        for (var kind : Kind.values()) {
            email = TestServer.newEmail();
            var real = registered(kind);
            var answers = List.of(email, TestServer.newEmail()).stream()
                    .map(asked -> {
                        var options = optionsFor(asked);
                        var device = new PasskeyDevice(ORIGIN, kind).id(listed(options));
                        change.accept(device);
                        return verify(device.get(options));
                    })
                    .toList();
            assertThat(answers.get(0)).as(kind.name()).startsWith("401").isEqualTo(answers.get(1));
            assertThat(listed(optionsFor(email))).isEqualTo(real.id());
        }
    }

    /** Even with the right key, so that no defect is reported before one that is checked later. */
    @ParameterizedTest
    @MethodSource("defects")
    void defectsWithTheOwnersOwnKeyGetTheSameError(Consumer<PasskeyDevice> change) {
        var real = registered(Kind.ES256).count(5);
        var options = optionsFor(email);
        assertThat(verify(real.get(options))).startsWith("200");
        change.accept(real.count(5));
        var answer = verify(real.get(optionsFor(email)));
        var otherOptions = optionsFor(TestServer.newEmail());
        var other = new PasskeyDevice(ORIGIN).id(listed(otherOptions));
        change.accept(other);
        assertThat(answer).startsWith("401").isEqualTo(verify(other.get(otherOptions)));
    }

    @Test
    void noClientDataDistinguishesARealPasskeyFromADecoy() {
        registered(Kind.ES256);
        var decoyOf = TestServer.newEmail();
        for (var clientData : List.of("", "{", "[]", "{}", "null", "{\"type\":1}", "{\"type\":\"webauthn.get\"}")) {
            assertThat(withClientData(email, clientData)).as(clientData).isEqualTo(withClientData(decoyOf, clientData));
        }
        for (var challenge : List.of("", "=", "AAAA", "A".repeat(43), "A".repeat(2000), "é")) {
            var clientData = "{\"type\":\"webauthn.get\",\"origin\":\"https://evil.example\",\"challenge\":\""
                    + challenge + "\"}";
            assertThat(withClientData(email, clientData))
                    .as(challenge)
                    .startsWith("401")
                    .isEqualTo(withClientData(decoyOf, clientData));
        }
    }

    private String withClientData(String asked, String clientData) {
        var options = optionsFor(asked);
        return verify(
                changed(options, "clientDataJSON", PasskeyDevice.encode(clientData.getBytes(StandardCharsets.UTF_8))));
    }

    private static Map<String, Object> changed(JsonNode options, String field, String value) {
        var body = new HashMap<>(new PasskeyDevice(ORIGIN).id(listed(options)).get(options));
        var response = new HashMap<Object, Object>((Map<?, ?>) body.get("response"));
        response.put(field, value);
        body.put("response", response);
        return body;
    }

    @Test
    void aUsedChallengeRevealsNothing() {
        registered(Kind.ES256);
        var answers = List.of(email, TestServer.newEmail()).stream()
                .map(asked -> {
                    var options = optionsFor(asked);
                    var body = new PasskeyDevice(ORIGIN).id(listed(options)).get(options);
                    return verify(body) + verify(body);
                })
                .toList();
        assertThat(answers.get(0)).isEqualTo(answers.get(1));
    }

    @Test
    void theRefusalOfAForeignOriginSaysWhatToSetWhicheverPasskeyItIs() {
        var options = optionsFor(TestServer.newEmail());
        var stranger = new PasskeyDevice("https://evil.example").id(PasskeyDevice.random(16));
        assertThat(verify(stranger.get(options))).contains("allowedOrigins");
        var framed = new PasskeyDevice(ORIGIN).clientData(",\"crossOrigin\":true");
        assertThat(verify(framed.get(optionsFor(email)))).contains("frame");
        assertThat(verify(new PasskeyDevice(ORIGIN).rpId("evil.example").get(optionsFor(email))))
                .contains("a different domain");
    }

    @Test
    void aPasskeyOfAFormerDomainLooksLikeAnUnknownOne() {
        var real = registered(Kind.ES256);
        set(Map.of("passkeyRpId", "example.com"));
        var known = verify(real.get(optionsFor(email)));
        var unknown = verify(new PasskeyDevice(ORIGIN).get(optionsFor(email)));
        assertThat(known).startsWith("401").isEqualTo(unknown);
    }

    /** Otherwise the delay of a busy server, or its 503, would reveal it. */
    @ParameterizedTest
    @EnumSource
    void anUnknownPasskeyCostsACheckLikeAKnownOne(Kind kind) {
        registered(kind);
        var beforeAll = checks();
        verify(new PasskeyDevice(ORIGIN, kind).id(listed(optionsFor(email))).get(optionsFor(email)));
        var afterKnown = checks();
        var decoyOf = TestServer.newEmail();
        verify(new PasskeyDevice(ORIGIN, kind).id(listed(optionsFor(decoyOf))).get(optionsFor(decoyOf)));
        assertThat(afterKnown - beforeAll).isEqualTo(1);
        assertThat(checks() - afterKnown).isEqualTo(1);
    }

    private double checks() {
        return server.metric("vestibule_hashing_time_seconds_count");
    }

    @Test
    void registeringAPasskeyWithAListedIdDoesNotRevealWhetherItIsReal() {
        registered(Kind.ES256);
        var attacker = project.signUp();
        var answers = List.of(email, TestServer.newEmail()).stream()
                .map(asked -> shown(registerAt(attacker, new PasskeyDevice(ORIGIN).id(listed(optionsFor(asked))))))
                .toList();
        assertThat(answers.get(0)).startsWith("409").isEqualTo(answers.get(1));
    }

    @Test
    void reauthenticationDoesNotDistinguishOthersPasskeysFromDecoys() {
        registered(Kind.ES256);
        var attacker = project.signUp();
        for (var defect : defects()) {
            var answers = List.of(email, TestServer.newEmail()).stream()
                    .map(asked -> {
                        var options = optionsFor(asked);
                        var device = new PasskeyDevice(ORIGIN).id(listed(options));
                        defect.getPayload().accept(device);
                        return shown(server.api()
                                .post("/v1/auth/reauthenticate")
                                .bearer(attacker.accessToken())
                                .json(Map.of("passkey", device.get(options)))
                                .send());
                    })
                    .toList();
            assertThat(answers.get(0)).as(defect.getName()).startsWith("401").isEqualTo(answers.get(1));
        }
    }
}
