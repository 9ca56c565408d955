package dev.vestibule.token;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes and reads refresh tokens: {@code rt_} and base64url of project id, session id, generation and an HMAC over
 * them. The database holds the generation and not the key: a copy of it is no use for making tokens, a forged token
 * costs no query, and the successor of a token can be computed again for a client that lost it.
 */
public final class RefreshTokens {
    private static final String PREFIX = "rt_";
    private static final int CLAIMS_BYTES = 4 * Long.BYTES + Integer.BYTES;
    private static final int TEXT_LENGTH = PREFIX.length() + (CLAIMS_BYTES + KeyedHash.BYTES) * 4 / 3 + 1;

    private final KeyedHash mac;

    public RefreshTokens(KeyedHash mac) {
        this.mac = mac;
    }

    public String write(RefreshToken token) {
        var claims = ByteBuffer.allocate(CLAIMS_BYTES)
                .putLong(token.project().value().getMostSignificantBits())
                .putLong(token.project().value().getLeastSignificantBits())
                .putLong(token.session().value().getMostSignificantBits())
                .putLong(token.session().value().getLeastSignificantBits())
                .putInt(token.generation())
                .array();
        var whole = ByteBuffer.allocate(CLAIMS_BYTES + KeyedHash.BYTES)
                .put(claims)
                .put(mac.hash(claims))
                .array();
        return encode(whole);
    }

    private static String encode(byte[] whole) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    }

    /** Empty for a token that this server did not issue. */
    public Optional<RefreshToken> read(String text) {
        if (!text.startsWith(PREFIX) || text.length() != TEXT_LENGTH) {
            return Optional.empty();
        }
        byte[] whole;
        try {
            whole = Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        if (!encode(whole).equals(text)) {
            return Optional.empty(); // the last character holds two bits that decoding drops
        }
        var claims = Arrays.copyOf(whole, CLAIMS_BYTES);
        if (!mac.matches(claims, Arrays.copyOfRange(whole, CLAIMS_BYTES, whole.length))) {
            return Optional.empty();
        }
        var fields = ByteBuffer.wrap(claims);
        return Optional.of(new RefreshToken(
                new ProjectId(new UUID(fields.getLong(), fields.getLong())),
                new SessionId(new UUID(fields.getLong(), fields.getLong())),
                fields.getInt()));
    }

    /** One error for every invalid refresh token, so that it does not reveal the reason. */
    public static ApiException invalid() {
        return ApiException.of(ErrorCode.INVALID_REFRESH_TOKEN, "The refresh token is invalid, expired or revoked.");
    }
}
