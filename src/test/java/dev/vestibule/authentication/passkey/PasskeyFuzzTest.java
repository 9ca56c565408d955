package dev.vestibule.authentication.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.authentication.passkey.PasskeyVerifier.Assertion;
import dev.vestibule.authentication.passkey.PasskeyVerifier.Credential;
import dev.vestibule.authentication.passkey.PasskeyVerifier.NewCredential;
import dev.vestibule.authentication.passkey.PasskeyVerifier.SignedChallenge;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.PasskeyDevice.Kind;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random changes to what authenticators send. Every build runs one second of them; {@code -Dvestibule.fuzzSeconds=200}
 * runs each kind of key for that long, from a seed that it prints: {@code -Dvestibule.fuzzSeed} repeats the run.
 */
class PasskeyFuzzTest {
    private static final String ORIGIN = "https://app.example.com";
    private static final RelyingParty PARTY = new RelyingParty("app.example.com", "App", Set.of(ORIGIN));
    private static final long SECONDS = Long.getLong("vestibule.fuzzSeconds", 1);
    private static final long SEED = Long.getLong("vestibule.fuzzSeed", System.nanoTime());
    private static final String CHALLENGE = PasskeyDevice.encode(new byte[32]);

    /** Far longer than a check takes, and far shorter than what would be worth an attack. */
    private static final Duration TOO_LONG = Duration.ofSeconds(10);

    private final PasskeyVerifier verifier = new PasskeyVerifier();

    private static JsonNode options() {
        return new ObjectMapper()
                .valueToTree(Map.of(
                        "challenge", CHALLENGE,
                        "rpId", PARTY.id(),
                        "rp", Map.of("id", PARTY.id()),
                        "user", Map.of("id", PasskeyDevice.encode(new byte[32]))));
    }

    private static byte[] field(Map<String, ?> response, String name) {
        return PasskeyDevice.decode(new ObjectMapper()
                .valueToTree(response)
                .path("response")
                .path(name)
                .asText());
    }

    private Credential register(byte[] id, byte[] attestationObject, byte[] clientData) {
        var read = ClientData.parse(Buffer.buffer(clientData))
                .orElseThrow(() -> new RefusedPasskeyException(RefusedPasskeyException.Reason.WRONG));
        return verifier.verify(
                PARTY,
                read,
                new NewCredential(Buffer.buffer(id), Buffer.buffer(attestationObject), Buffer.buffer(clientData)));
    }

    private Assertion signIn(Credential known, SignedChallenge signed) {
        var read = ClientData.parse(signed.clientDataJson())
                .orElseThrow(() -> new RefusedPasskeyException(RefusedPasskeyException.Reason.WRONG));
        return verifier.verify(PasskeyVerifier.present(PARTY, read, signed), known);
    }

    @ParameterizedTest
    @EnumSource
    void noMutationIsAcceptedOrBreaksTheVerifier(Kind kind) {
        var device = new PasskeyDevice(ORIGIN, kind);
        var created = device.create(options());
        var attestation = field(created, "attestationObject");
        var creation = field(created, "clientDataJSON");
        var known = register(device.id(), attestation, creation);
        var right = signed(device);
        assertThat(signIn(known, right).userVerified()).isTrue();

        System.out.println("fuzzing " + kind + " from the seed " + SEED);
        var random = new Random(SEED);
        var end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        var tries = 0L;
        while (System.nanoTime() < end) {
            var begin = System.nanoTime();
            tryRegistration(random, device.id(), attestation, creation);
            trySignIn(random, known, right);
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("try %d of the seed %d", tries, SEED)
                    .isLessThan(TOO_LONG);
            tries++;
        }
        assertThat(tries).isPositive();
    }

    private static SignedChallenge signed(PasskeyDevice device) {
        var got = device.get(options());
        return new SignedChallenge(
                Buffer.buffer(device.id()),
                Buffer.buffer(field(got, "authenticatorData")),
                Buffer.buffer(field(got, "clientDataJSON")),
                Buffer.buffer(field(got, "signature")));
    }

    /** Found by a run of ten minutes. */
    @ParameterizedTest
    @EnumSource
    void aSignatureWithZerosAfterItIsRefused(Kind kind) {
        var device = new PasskeyDevice(ORIGIN, kind);
        var created = device.create(options());
        var known = register(device.id(), field(created, "attestationObject"), field(created, "clientDataJSON"));
        var right = signed(device);
        var longer = new SignedChallenge(
                right.id(),
                right.authenticatorData(),
                right.clientDataJson(),
                right.signature().copy().appendByte((byte) 0));

        assertThatThrownBy(() -> signIn(known, longer)).isInstanceOf(RefusedPasskeyException.class);
        assertThat(signIn(known, right).userVerified()).isTrue();
    }

    /** A changed key can still be a valid key, which the owner of the account is free to register. */
    private void tryRegistration(Random random, byte[] id, byte[] attestation, byte[] creation) {
        try {
            var kept = random.nextBoolean()
                    ? register(id, mutated(random, attestation), creation)
                    : register(id, attestation, mutated(random, creation));
            assertThat(kept.id().getBytes()).isEqualTo(id);
            assertThat(kept.publicKey().length()).isLessThan(2000);
        } catch (RefusedPasskeyException refused) {
            assertThat(refused.reason()).isNotNull();
        }
    }

    private void trySignIn(Random random, Credential known, SignedChallenge right) {
        var part = random.nextInt(3);
        var signed = new SignedChallenge(
                right.id(),
                part == 0 ? mutated(random, right.authenticatorData()) : right.authenticatorData(),
                part == 1 ? mutated(random, right.clientDataJson()) : right.clientDataJson(),
                part == 2 ? mutated(random, right.signature()) : right.signature());
        var isChanged = !signed.authenticatorData().equals(right.authenticatorData())
                || !signed.clientDataJson().equals(right.clientDataJson())
                || !signed.signature().equals(right.signature());
        try {
            signIn(known, signed);
            assertThat(isChanged)
                    .as("a change of part %d was taken, from the seed %d", part, SEED)
                    .isFalse();
        } catch (RefusedPasskeyException refused) {
            assertThat(isChanged).isTrue();
        }
    }

    private static Buffer mutated(Random random, Buffer bytes) {
        return Buffer.buffer(mutated(random, bytes.getBytes()));
    }

    private static byte[] mutated(Random random, byte[] bytes) {
        var changed = bytes.clone();
        for (var i = random.nextInt(4); i >= 0; i--) {
            changed = mutatedOnce(random, changed);
        }
        return changed;
    }

    private static byte[] mutatedOnce(Random random, byte[] bytes) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        var at = random.nextInt(bytes.length);
        var tail = Arrays.copyOfRange(bytes, at, bytes.length);
        var head = Arrays.copyOf(bytes, at);
        return switch (random.nextInt(6)) {
            case 0 -> head;
            case 1 -> {
                var inserted = new byte[1 + random.nextInt(8)];
                random.nextBytes(inserted);
                yield PasskeyDevice.concat(head, inserted, tail);
            }
            case 2 -> PasskeyDevice.concat(head, Arrays.copyOfRange(tail, 1, tail.length));
            case 3 -> PasskeyDevice.concat(bytes, tail);
            case 4 -> {
                bytes[at] = (byte) random.nextInt();
                yield bytes;
            }
            default -> {
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                yield bytes;
            }
        };
    }

    @Test
    void aKeyIsStoredInItsOriginalForm() {
        var device = new PasskeyDevice(ORIGIN);
        var created = device.create(options());
        var known = register(device.id(), field(created, "attestationObject"), field(created, "clientDataJSON"));
        assertThat(known.publicKey().length()).isEqualTo(77);
    }
}
