package dev.vestibule.oauth.client;

import dev.vestibule.error.ApiException;
import dev.vestibule.oauth.provider.ProviderConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a user is told when a sign in at a provider fails, and what its operator reads: nothing that a provider said. */
final class ProviderErrors {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderErrors.class);

    private ProviderErrors() {}

    /** It is down, slow, or not to be reached. */
    static ApiException unreachable(ProviderConnection connection, String why) {
        LOG.warn("{} of project {} does not answer: {}", connection.provider(), connection.project(), why);
        return ApiException.badGateway("The identity provider does not answer.");
    }

    /** It answers, but not as it should. */
    static ApiException unusable(ProviderConnection connection, String why) {
        LOG.warn("{} of project {} gave no usable answer: {}", connection.provider(), connection.project(), why);
        return ApiException.badGateway("The identity provider gave no usable answer.");
    }

    /** The project has to change its settings, here or there. */
    static ApiException misconfigured(ProviderConnection connection, String why) {
        LOG.warn("{} of project {} is not set up right: {}", connection.provider(), connection.project(), why);
        return ApiException.badGateway("The identity provider does not accept this application's settings.");
    }

    /** What came with the browser proves nothing. */
    static ApiException unproven(ProviderConnection connection, String why) {
        LOG.info("A sign in with {} of project {} failed: {}", connection.provider(), connection.project(), why);
        return ApiException.unauthorized("The sign in at the identity provider is not valid.");
    }
}
