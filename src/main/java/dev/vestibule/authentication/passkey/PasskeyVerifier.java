package dev.vestibule.authentication.passkey;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.converter.AttestedCredentialDataConverter;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.AuthenticationRequest;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.RegistrationRequest;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.COSEKey;
import com.webauthn4j.data.attestation.authenticator.EC2COSEKey;
import com.webauthn4j.data.attestation.authenticator.EdDSACOSEKey;
import com.webauthn4j.data.attestation.authenticator.RSACOSEKey;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.util.ECUtil;
import com.webauthn4j.verifier.exception.BadRpIdException;
import com.webauthn4j.verifier.exception.MaliciousCounterValueException;
import com.webauthn4j.verifier.exception.NotAllowedAlgorithmException;
import dev.vestibule.authentication.passkey.RefusedPasskeyException.Reason;
import dev.vestibule.crypto.Sha256;
import io.vertx.core.buffer.Buffer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Checks what authenticators send (WebAuthn Level 3, 7.1 and 7.2), with webauthn4j. Attestation is neither requested
 * nor checked: this server does not care who made an authenticator.
 */
final class PasskeyVerifier {
    /**
     * What the server stores about a passkey, to check what it signs.
     *
     * @param rpId the domain that it is bound to
     * @param publicKey a COSE_Key (RFC 9052)
     * @param signCount zero if the authenticator does not count
     * @param backupEligible whether it can be synchronised between devices; never changes
     * @param userVerified whether it has ever verified the person, and not only presence
     */
    record Credential(
            String rpId,
            Buffer id,
            UUID aaguid,
            Buffer publicKey,
            long signCount,
            boolean backupEligible,
            boolean backedUp,
            boolean userVerified) {}

    /**
     * What an authenticator signed in a sign in.
     *
     * @param userVerified whether it verified the person, for example by a fingerprint or a PIN, and not only presence
     */
    record Assertion(long signCount, boolean backupEligible, boolean backedUp, boolean userVerified) {}

    /** Ed25519, ES256, RS256: in the server's order of preference. */
    static final List<Long> ALGORITHMS = List.of(-8L, -7L, -257L);

    private static final int P256_BITS = 256;
    private static final int MIN_RSA_BITS = 2048;

    /** With more bits, one check would take as long as many, and the owner of the key chooses its size. */
    private static final int MAX_RSA_BITS = 4096;

    private static final BigInteger MAX_RSA_EXPONENT = BigInteger.ONE.shiftLeft(32);
    private static final int AAGUID_BYTES = 16;
    private static final UUID NO_MAKER = new UUID(0, 0);

    /** Authenticator data begins with the domain's hash, the flags and a counter (WebAuthn Level 3, 6.1). */
    private static final int FLAGS = 32;

    private static final int MIN_AUTHENTICATOR_DATA = 37;
    private static final int BACKUP_ELIGIBLE = 0x08;

    private static final List<PublicKeyCredentialParameters> PARAMETERS = ALGORITHMS.stream()
            .map(COSEAlgorithmIdentifier::create)
            .map(algorithm -> new PublicKeyCredentialParameters(PublicKeyCredentialType.PUBLIC_KEY, algorithm))
            .toList();

    private final ObjectConverter converter = new ObjectConverter();
    private final WebAuthnManager manager = WebAuthnManager.createNonStrictWebAuthnManager(converter);
    private final AttestedCredentialDataConverter keys = new AttestedCredentialDataConverter(converter);

    /** A key of the most common kind; its private half is thrown away. */
    private final Buffer nobodysKey = Buffer.buffer(converter
            .getCborMapper()
            .writeValueAsBytes(EC2COSEKey.create(
                    (ECPublicKey) ECUtil.createKeyPair(ECUtil.P_256_SPEC).getPublic(), COSEAlgorithmIdentifier.ES256)));

    /** The fields of a registration's response, decoded. */
    record NewCredential(Buffer id, Buffer attestationObject, Buffer clientDataJson) {}

    /** The fields of a sign in's response, decoded. */
    record SignedChallenge(Buffer id, Buffer authenticatorData, Buffer clientDataJson, Buffer signature) {}

    /**
     * A sign in's response that passed every check that does not need the passkey: the page, the ceremony and the
     * domain. Only these checks refuse with a reason.
     */
    static final class PresentedAssertion {
        private final RelyingParty party;
        private final ClientData clientData;
        private final SignedChallenge signed;

        private PresentedAssertion(RelyingParty party, ClientData clientData, SignedChallenge signed) {
            this.party = party;
            this.clientData = clientData;
            this.signed = signed;
        }
    }

    /** A {@link RefusedPasskeyException} with a reason that a page can do something about. */
    static PresentedAssertion present(RelyingParty party, ClientData clientData, SignedChallenge signed) {
        requireClient(party, clientData, ClientData.SIGN_IN);
        if (signed.authenticatorData().length() < MIN_AUTHENTICATOR_DATA) {
            throw new RefusedPasskeyException(Reason.WRONG);
        }
        var domain = Sha256.of(party.id().getBytes(StandardCharsets.UTF_8));
        if (!Arrays.equals(domain, signed.authenticatorData().getBytes(0, domain.length))) {
            throw new RefusedPasskeyException(Reason.FOREIGN_DOMAIN);
        }
        return new PresentedAssertion(party, clientData, signed);
    }

    /** The credential to store; a {@link RefusedPasskeyException} if any check fails. */
    Credential verify(RelyingParty party, ClientData clientData, NewCredential created) {
        requireClient(party, clientData, ClientData.REGISTRATION);
        return refusing(() -> {
            var data = manager.verify(
                    new RegistrationRequest(
                            created.attestationObject().getBytes(),
                            created.clientDataJson().getBytes()),
                    new RegistrationParameters(server(party, clientData), PARAMETERS, false, true));
            var authenticator =
                    Objects.requireNonNull(data.getAttestationObject()).getAuthenticatorData();
            var attested = Objects.requireNonNull(authenticator.getAttestedCredentialData());
            if (!Arrays.equals(attested.getCredentialId(), created.id().getBytes())) {
                throw new RefusedPasskeyException(Reason.WRONG);
            }
            requireUsable(attested.getCOSEKey());
            return new Credential(
                    party.id(),
                    Buffer.buffer(attested.getCredentialId()),
                    uuid(attested),
                    Buffer.buffer(converter.getCborMapper().writeValueAsBytes(attested.getCOSEKey())),
                    authenticator.getSignCount(),
                    authenticator.isFlagBE(),
                    authenticator.isFlagBS(),
                    authenticator.isFlagUV());
        });
    }

    private static UUID uuid(AttestedCredentialData attested) {
        var value = attested.getAaguid().getValue();
        return value == null ? NO_MAKER : value;
    }

    /** Takes as long as a check and refuses: the response time must not reveal which passkeys exist. */
    Assertion refuseUnknown(PresentedAssertion presented) {
        verify(
                presented,
                new Credential(
                        presented.party.id(), presented.signed.id(), NO_MAKER, nobodysKey, 0, false, false, false));
        throw new RefusedPasskeyException(Reason.WRONG);
    }

    /**
     * What was signed; a {@link RefusedPasskeyException} if any check fails. Before the signature, only the stored key
     * of the passkey is used.
     */
    Assertion verify(PresentedAssertion presented, Credential known) {
        return refusing(() -> {
            var signed = presented.signed;
            var isEligible = (signed.authenticatorData().getByte(FLAGS) & BACKUP_ELIGIBLE) != 0;
            var stored = stored(known, isEligible);
            var data = manager.verify(
                    new AuthenticationRequest(
                            signed.id().getBytes(),
                            signed.authenticatorData().getBytes(),
                            signed.clientDataJson().getBytes(),
                            signed.signature().getBytes()),
                    new AuthenticationParameters(
                            server(presented.party, presented.clientData), stored, null, false, true));
            requireLength(stored.getAttestedCredentialData().getCOSEKey(), signed.signature());
            if (isEligible != known.backupEligible() || !known.rpId().equals(presented.party.id())) {
                throw new RefusedPasskeyException(Reason.WRONG);
            }
            var authenticator = Objects.requireNonNull(data.getAuthenticatorData());
            return new Assertion(
                    authenticator.getSignCount(),
                    authenticator.isFlagBE(),
                    authenticator.isFlagBS(),
                    authenticator.isFlagUV());
        });
    }

    /**
     * The JDK accepts an Ed25519 signature followed by zeros, though a signature must have exactly one form (RFC 8032,
     * 5.1.7).
     */
    private static void requireLength(COSEKey key, Buffer signature) {
        if (key instanceof EdDSACOSEKey && signature.length() != Ed25519.SIGNATURE_SIZE) {
            throw new RefusedPasskeyException(Reason.WRONG);
        }
    }

    private static void requireClient(RelyingParty party, ClientData clientData, String ceremony) {
        if (!clientData.type().equals(ceremony)) {
            throw new RefusedPasskeyException(Reason.WRONG);
        }
        if (!party.origins().contains(clientData.origin())) {
            throw new RefusedPasskeyException(Reason.FOREIGN_ORIGIN);
        }
        if (clientData.isFramed()) {
            throw new RefusedPasskeyException(Reason.FRAMED);
        }
    }

    /** The server has just found the challenge by its hash. */
    private static ServerProperty server(RelyingParty party, ClientData clientData) {
        Set<Origin> origins = party.origins().stream().map(Origin::new).collect(Collectors.toSet());
        return ServerProperty.builder()
                .origins(origins)
                .rpId(party.id())
                .challenge(new DefaultChallenge(clientData.challenge().getBytes()))
                .build();
    }

    private CredentialRecordImpl stored(Credential known, boolean backupEligible) {
        var id = known.id().getBytes();
        var key = known.publicKey().getBytes();
        var attested = ByteBuffer.allocate(AAGUID_BYTES + Short.BYTES + id.length + key.length)
                .putLong(known.aaguid().getMostSignificantBits())
                .putLong(known.aaguid().getLeastSignificantBits())
                .putShort((short) id.length)
                .put(id)
                .put(key);
        return new CredentialRecordImpl(
                null,
                known.userVerified(),
                backupEligible,
                known.backedUp(),
                known.signCount(),
                keys.convert(attested.array()),
                null,
                null,
                null,
                null);
    }

    /** The library throws all kinds of exceptions at what it cannot read. */
    private static <T> T refusing(Supplier<T> check) {
        try {
            return check.get();
        } catch (RefusedPasskeyException refused) {
            throw refused;
        } catch (MaliciousCounterValueException cloned) {
            throw new RefusedPasskeyException(Reason.CLONED);
        } catch (BadRpIdException foreign) {
            throw new RefusedPasskeyException(Reason.FOREIGN_DOMAIN);
        } catch (NotAllowedAlgorithmException unknown) {
            throw new RefusedPasskeyException(Reason.UNKNOWN_KEY);
        } catch (RuntimeException | StackOverflowError wrong) { // the JDK reads nested certificates by recursion
            throw new RefusedPasskeyException(Reason.WRONG);
        }
    }

    /** The algorithm was already checked. */
    private static void requireUsable(COSEKey key) {
        if (!isUsable(key)) {
            throw new RefusedPasskeyException(Reason.UNKNOWN_KEY);
        }
    }

    /** The JDK makes a key from any two numbers. */
    private static boolean isOnP256(ECPublicKey key) {
        var curve = key.getParams().getCurve();
        if (!(curve.getField() instanceof ECFieldFp field) || field.getFieldSize() != P256_BITS) {
            return false;
        }
        var prime = field.getP();
        var x = key.getW().getAffineX();
        var y = key.getW().getAffineY();
        var cubic = x.modPow(BigInteger.valueOf(3), prime)
                .add(curve.getA().multiply(x))
                .add(curve.getB());
        return x.compareTo(prime) < 0
                && y.compareTo(prime) < 0
                && y.multiply(y).subtract(cubic).mod(prime).signum() == 0;
    }

    private static boolean isUsable(COSEKey key) {
        if (key.hasPrivateKey()) {
            return false;
        }
        if (key instanceof EC2COSEKey) {
            return key.getPublicKey() instanceof ECPublicKey point && isOnP256(point);
        }
        if (key instanceof EdDSACOSEKey edwards) {
            // The JDK accepts a point of small order; a signature under it can match any message.
            var x = edwards.getX();
            return x != null && x.length == Ed25519.PUBLIC_KEY_SIZE && Ed25519.validatePublicKeyFull(x, 0);
        }
        return key instanceof RSACOSEKey
                && key.getPublicKey() instanceof RSAPublicKey number
                && number.getModulus().bitLength() >= MIN_RSA_BITS
                && number.getModulus().bitLength() <= MAX_RSA_BITS
                && number.getPublicExponent().compareTo(MAX_RSA_EXPONENT) <= 0;
    }
}
