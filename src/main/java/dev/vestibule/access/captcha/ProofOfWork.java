package dev.vestibule.access.captcha;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.config.CaptchaSettings;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.UsedOnceStore;
import dev.vestibule.project.UsedOnceStore.Kind;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.params.KeyParameter;

/**
 * ALTCHA's proof of work, version 2: the client looks for a counter for which PBKDF2-HMAC-SHA256 of nonce and counter
 * gives a key with the challenge's prefix. Each hexadecimal digit of the prefix makes that 16 times as long. ALTCHA's
 * own widgets and libraries solve these challenges too.
 */
final class ProofOfWork {
    private static final String ALGORITHM = "PBKDF2/SHA-256";
    private static final int KEY_BYTES = 32;
    private static final int RANDOM_BYTES = 16;
    private static final long MAX_COUNTER = 0xFFFF_FFFFL;
    private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern PREFIX = Pattern.compile("0{1,8}");
    private static final HexFormat HEX = HexFormat.of();

    /** What a challenge says; it is signed in the canonical form of the protocol. */
    private record Challenge(
            int cost, String project, String purpose, long expiresAt, String prefix, String nonce, String salt) {
        /** Empty if no challenge of ours looks like this. */
        static Optional<Challenge> read(JsonNode parameters) {
            var data = parameters.path("data");
            var challenge = new Challenge(
                    parameters.path("cost").intValue(),
                    data.path("project").asText(),
                    data.path("purpose").asText(),
                    parameters.path("expiresAt").longValue(),
                    parameters.path("keyPrefix").asText(),
                    parameters.path("nonce").asText(),
                    parameters.path("salt").asText());
            return Optional.of(challenge)
                    .filter(read -> PREFIX.matcher(read.prefix()).matches()
                            && RANDOM.matcher(read.nonce()).matches()
                            && RANDOM.matcher(read.salt()).matches());
        }

        /** The keys are in alphabetical order, also in nested objects. */
        ObjectNode parameters() {
            var parameters = JsonNodeFactory.instance
                    .objectNode()
                    .put("algorithm", ALGORITHM)
                    .put("cost", cost);
            parameters.putObject("data").put("project", project).put("purpose", purpose);
            return parameters
                    .put("expiresAt", expiresAt)
                    .put("keyLength", KEY_BYTES)
                    .put("keyPrefix", prefix)
                    .put("nonce", nonce)
                    .put("salt", salt);
        }

        byte[] signedText() {
            return Json.encode(parameters()).getBytes();
        }
    }

    /** A challenge of ours that has not expired, with what the client has found for it. */
    private record Attempt(Challenge challenge, long counter, String derivedKey) {}

    private final Database database;
    private final HashingPool workers;
    private final CaptchaSettings settings;
    private final Clock clock;
    private final KeyedHash signatures;
    private final UsedOnceStore used = new UsedOnceStore();

    ProofOfWork(Database database, HashingPool workers, MasterKeys masterKeys, CaptchaSettings settings, Clock clock) {
        this.database = database;
        this.workers = workers;
        this.settings = settings;
        this.clock = clock;
        this.signatures = new KeyedHash(masterKeys, "captcha challenges");
    }

    /** A new challenge, as clients of the protocol read it. */
    ObjectNode challenge(ProjectId project, CaptchaPurpose purpose) {
        var challenge = new Challenge(
                settings.cost(),
                project.toString(),
                purpose.text(),
                clock.instant().plus(settings.lifetime()).getEpochSecond(),
                "0".repeat(settings.digits()),
                HEX.formatHex(RandomSecrets.bytes(RANDOM_BYTES)),
                HEX.formatHex(RandomSecrets.bytes(RANDOM_BYTES)));
        var signed = JsonNodeFactory.instance.objectNode();
        signed.set("parameters", challenge.parameters());
        return signed.put("signature", HEX.formatHex(signatures.hash(challenge.signedText())));
    }

    /** True for only one of several uses of a solution, on whichever nodes they arrive. */
    Future<Boolean> accept(ProjectId project, CaptchaPurpose purpose, String token) {
        return read(token)
                .filter(attempt -> isFor(project, purpose, attempt.challenge()))
                .map(attempt -> workers.run(project.value(), JobLength.SHORT, () -> isSolved(attempt))
                        .compose(isSolved -> isSolved
                                ? used.takeOneOf(
                                        database.writes(),
                                        project,
                                        Kind.CAPTCHA,
                                        Sha256.of(attempt.challenge().signedText()),
                                        Instant.ofEpochSecond(
                                                attempt.challenge().expiresAt()),
                                        settings.maxSpent())
                                : Future.succeededFuture(false)))
                .orElseGet(() -> Future.succeededFuture(false));
    }

    /** Empty if the token is not of this form, or the challenge is not one of ours. */
    private Optional<Attempt> read(String token) {
        JsonNode payload;
        try {
            payload = Json.parse(Buffer.buffer(Base64.getDecoder().decode(token)));
        } catch (IllegalArgumentException | MalformedJsonException damaged) {
            return Optional.empty();
        }
        var signature = payload.path("challenge").path("signature").asText();
        var counter = payload.path("solution").path("counter");
        var key = payload.path("solution").path("derivedKey").asText();
        if (!KEY.matcher(signature).matches() || !KEY.matcher(key).matches() || !counter.isIntegralNumber()) {
            return Optional.empty();
        }
        return Challenge.read(payload.path("challenge").path("parameters"))
                .filter(challenge -> signatures.matches(challenge.signedText(), HEX.parseHex(signature)))
                .map(challenge -> new Attempt(challenge, counter.longValue(), key));
    }

    /** It must not be easier than current challenges either: the operator may have raised the difficulty. */
    private boolean isFor(ProjectId project, CaptchaPurpose purpose, Challenge challenge) {
        return challenge.project().equals(project.toString())
                && challenge.purpose().equals(purpose.text())
                && Instant.ofEpochSecond(challenge.expiresAt()).isAfter(clock.instant())
                && challenge.cost() >= settings.cost()
                && challenge.prefix().length() >= settings.digits();
    }

    private static boolean isSolved(Attempt attempt) {
        var challenge = attempt.challenge();
        if (attempt.counter() < 0
                || attempt.counter() > MAX_COUNTER
                || !attempt.derivedKey().startsWith(challenge.prefix())) {
            return false;
        }
        var password = ByteBuffer.allocate(RANDOM_BYTES + Integer.BYTES)
                .put(HEX.parseHex(challenge.nonce()))
                .putInt((int) attempt.counter())
                .array();
        var generator = new PKCS5S2ParametersGenerator(new SHA256Digest());
        generator.init(password, HEX.parseHex(challenge.salt()), challenge.cost());
        var key = (KeyParameter) generator.generateDerivedMacParameters(KEY_BYTES * Byte.SIZE);
        return MessageDigest.isEqual(key.getKey(), HEX.parseHex(attempt.derivedKey()));
    }
}
