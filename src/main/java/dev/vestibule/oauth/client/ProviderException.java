package dev.vestibule.oauth.client;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.oauth.provider.ProviderConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sign in that failed at a provider: what users are told, and what operators, and owners of the project who test it,
 * read. Nothing quotes the provider.
 */
public final class ProviderException extends ApiException {
    static final String NO_ANSWER = "The identity provider does not answer.";

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ProviderConnection.class);

    /** The kinds differ in what to do about them. */
    public enum Kind {
        /** It is down, slow, or at an address that this server must not call. */
        UNREACHABLE,
        /** It does not answer as its protocol demands. */
        UNUSABLE,
        /** The project's settings, here or at the provider, are wrong. */
        MISCONFIGURED,
        /** The response does not prove anybody's identity. */
        UNPROVEN
    }

    private final Kind kind;
    private final String finding;

    private ProviderException(ErrorCode code, String message, Kind kind, String finding) {
        super(code, message);
        this.kind = kind;
        this.finding = finding;
    }

    /** The provider is down, slow or unreachable. */
    static ApiException unreachable(ProviderConnection connection, String reason) {
        LOG.warn("{} of project {} does not answer: {}", connection.provider(), connection.project(), reason);
        return new ProviderException(ErrorCode.PROVIDER_FAILED, NO_ANSWER, Kind.UNREACHABLE, reason);
    }

    /** The provider answered, but not as its protocol demands. */
    static ApiException unusable(ProviderConnection connection, String reason) {
        LOG.warn("{} of project {} gave no usable response: {}", connection.provider(), connection.project(), reason);
        return new ProviderException(
                ErrorCode.PROVIDER_FAILED, "The identity provider gave no usable response.", Kind.UNUSABLE, reason);
    }

    /** The project must change its settings, here or at the provider. */
    static ApiException misconfigured(ProviderConnection connection, String reason) {
        LOG.warn(
                "{} of project {} is misconfigured: {}. Check its settings here and at the provider.",
                connection.provider(),
                connection.project(),
                reason);
        return new ProviderException(
                ErrorCode.PROVIDER_FAILED,
                "The identity provider does not accept this application's settings.",
                Kind.MISCONFIGURED,
                reason);
    }

    /** What the browser brought does not prove the user's identity. */
    static ApiException unproven(ProviderConnection connection, String reason) {
        LOG.info("A sign in with {} of project {} failed: {}", connection.provider(), connection.project(), reason);
        return new ProviderException(
                ErrorCode.INVALID_IDENTITY_TOKEN,
                "The sign in at the identity provider is not valid.",
                Kind.UNPROVEN,
                reason);
    }

    public Kind kind() {
        return kind;
    }

    /** What the log says about it: part of a sentence about the provider, which quotes nothing that it sent. */
    public String finding() {
        return finding;
    }
}
