package dev.vestibule.oauth.client;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.oauth.client.ProviderException.Kind;
import dev.vestibule.oauth.provider.ProviderConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The errors of a sign in with a provider: what users are told and what operators read. Nothing quotes the provider.
 */
final class ProviderErrors {
    static final String NO_ANSWER = "The identity provider does not answer.";

    private static final Logger LOG = LoggerFactory.getLogger(ProviderErrors.class);

    private ProviderErrors() {}

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
}
