package dev.vestibule.authentication.oauth;

import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.client.ProviderIdentity;
import dev.vestibule.oauth.identity.ProviderLogin;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.UsedOnceStore;
import dev.vestibule.project.UsedOnceStore.Kind;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Signs in with an ID token that the device's own sign in, such as Apple's, gave to an app. Nothing but the token ties
 * it to this sign in, so it must be fresh and works once.
 */
final class NativeSignIn {
    /** An app sends its token right away. */
    private static final Duration MAX_AGE = Duration.ofMinutes(10);

    /** Longer than any clock skew that the verifier tolerates. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    /** What an app sends. */
    record NativeToken(
            Provider provider, String idToken, @Nullable String nonce) {
        /** The app gave only the hash to the provider, and has kept the nonce secret until now. */
        @Nullable
        String hashedNonce() {
            return nonce == null ? null : HexFormat.of().formatHex(Sha256.of(nonce));
        }

        /** The hash of the signed part: the signature itself can be encoded in several ways. */
        byte[] hash() {
            var end = idToken.lastIndexOf('.');
            return Sha256.of(end < 0 ? idToken : idToken.substring(0, end));
        }

        @Override
        public String toString() {
            return "NativeToken[" + provider + "]";
        }
    }

    private final Database database;
    private final ProviderStore providers;
    private final IdentityProviderClient identities;
    private final UsedOnceStore used = new UsedOnceStore();
    private final ProviderSignIn signIn;
    private final Clock clock;

    NativeSignIn(
            Database database,
            ProviderStore providers,
            IdentityProviderClient identities,
            ProviderSignIn signIn,
            Clock clock) {
        this.database = database;
        this.providers = providers;
        this.identities = identities;
        this.signIn = signIn;
        this.clock = clock;
    }

    /** A provider that the project has not set up is refused before anything is counted: its name can be any. */
    Future<SignInResult> run(Project project, NativeToken token, Device device, Language language) {
        return providers
                .connection(database.reads(), project.id(), token.provider())
                .map(found -> found.filter(connection ->
                                !connection.settings().nativeClientIds().isEmpty())
                        .orElseThrow(NativeSignIn::notSetUp))
                .compose(connection -> signIn.finish(
                        project, token.provider(), login(project, connection, token, device), language, device));
    }

    private Future<ProviderLogin> login(
            Project project, ProviderConnection connection, NativeToken token, Device device) {
        return identify(connection, token)
                .compose(identity -> takeOnce(project, token).map(identity))
                .map(identity ->
                        new ProviderLogin(project, identity, token.provider().title(), false, device, null));
    }

    private Future<ProviderIdentity> identify(ProviderConnection connection, NativeToken token) {
        return identities.nativeIdentity(connection, token.idToken(), token.hashedNonce(), MAX_AGE);
    }

    private Future<Void> takeOnce(Project project, NativeToken token) {
        return used.take(
                        database.writes(),
                        project.id(),
                        Kind.ID_TOKEN,
                        token.hash(),
                        clock.instant().plus(REMEMBERED))
                .map(isFirst -> {
                    if (!isFirst) {
                        throw ApiException.of(ErrorCode.INVALID_IDENTITY_TOKEN, "The identity token was already used.");
                    }
                    return null;
                });
    }

    private static RuntimeException notSetUp() {
        return ApiException.of(ErrorCode.PROVIDER_NOT_ENABLED, "Apps cannot sign in with this provider.");
    }
}
