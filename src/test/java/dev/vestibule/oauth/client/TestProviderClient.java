package dev.vestibule.oauth.client;

import dev.vestibule.config.OauthSettings;
import dev.vestibule.error.ApiException;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.AuthorizationRequest.Prompt;
import dev.vestibule.oauth.provider.OauthFlow;
import dev.vestibule.oauth.provider.ProviderConnection;
import dev.vestibule.oauth.provider.ProviderSettings;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client of providers with its own catalogue, and the calls that most tests make. */
final class TestProviderClient implements AutoCloseable {
    static final String CLIENT_ID = "our-client";
    static final String SECRET = "a client secret of 32 characters";
    static final String NONCE = "the nonce of this sign in";
    static final String STATE = "the state of this sign in";
    static final URI REDIRECT = URI.create("https://app.example.com/callback?a=b");

    private final Vertx vertx = Vertx.vertx();
    private final TestClock clock = new TestClock();
    private final ProjectId project = ProjectId.next();
    private final Catalogue catalogue;
    private final IdentityProviderClient providers;

    private TestProviderClient(Catalogue catalogue, boolean allowPrivate, Duration timeout) {
        this.catalogue = catalogue;
        this.providers = new IdentityProviderClient(
                vertx,
                new OauthSettings(
                        Optional.empty(),
                        allowPrivate,
                        timeout,
                        100,
                        8_388_608,
                        Duration.ofHours(1),
                        Duration.ofSeconds(60),
                        100,
                        10,
                        1_000_000,
                        100,
                        Duration.ofSeconds(10)),
                clock);
    }

    /** With a timeout that leaves a server time to start: its first response may take some seconds. */
    static TestProviderClient builtIn(boolean allowPrivate) {
        return new TestProviderClient(Catalogue.read(Optional.empty()), allowPrivate, Duration.ofSeconds(10));
    }

    /** With an operator's file of these lines, and without private addresses for projects' issuers. */
    static TestProviderClient with(String... lines) {
        return with(Duration.ofSeconds(10), lines);
    }

    /** For providers that hang. */
    static TestProviderClient impatient(String... lines) {
        return with(Duration.ofSeconds(1), lines);
    }

    private static TestProviderClient with(Duration timeout, String... lines) {
        try {
            var file = Files.createTempFile("providers", ".yaml");
            Files.write(file, List.of(lines));
            var catalogue = Catalogue.read(Optional.of(file));
            Files.delete(file);
            return new TestProviderClient(catalogue, false, timeout);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    TestClock clock() {
        return clock;
    }

    /** The client id of all connections here: it tells their log lines from those of concurrent tests. */
    ProjectId project() {
        return project;
    }

    ProviderConnection to(String provider) {
        return to(provider, null, null);
    }

    ProviderConnection to(String provider, @Nullable String issuer, @Nullable String tenant) {
        return to(provider, issuer, tenant, SECRET);
    }

    ProviderConnection to(String provider, @Nullable String issuer, @Nullable String tenant, String secret) {
        var entry = catalogue.find(new Provider(provider)).orElseThrow();
        var settings = new ProviderSettings(
                new Provider(provider),
                null,
                null,
                CLIENT_ID,
                true,
                null,
                OauthFlow.AUTO,
                issuer,
                tenant,
                "DEF123GHIJ",
                "ABC123DEFG",
                false,
                List.of(),
                clock.instant(),
                clock.instant());
        return new ProviderConnection(project, entry, settings, secret, null);
    }

    ProviderConnection withScopes(ProviderConnection connection, List<String> scopes) {
        var settings = connection.settings();
        return new ProviderConnection(
                connection.project(),
                connection.entry(),
                new ProviderSettings(
                        settings.provider(),
                        null,
                        null,
                        CLIENT_ID,
                        true,
                        scopes,
                        OauthFlow.AUTO,
                        settings.issuer(),
                        settings.tenant(),
                        settings.teamId(),
                        settings.keyId(),
                        false,
                        List.of(),
                        settings.createdAt(),
                        settings.updatedAt()),
                SECRET,
                null);
    }

    URI authorizationUrl(ProviderConnection connection, @Nullable String codeChallenge) {
        return outcome(providers.authorizationUrl(
                connection, new AuthorizationRequest(REDIRECT, STATE, NONCE, codeChallenge, Prompt.NONE)));
    }

    URI freshSignInUrl(ProviderConnection connection) {
        return outcome(providers.authorizationUrl(
                connection, new AuthorizationRequest(REDIRECT, STATE, NONCE, null, new Prompt(null, true))));
    }

    static CodeExchange code(String code) {
        return code(code, null);
    }

    static CodeExchange code(String code, @Nullable Instant signedInSince) {
        return new CodeExchange(code, STATE, REDIRECT, null, NONCE, signedInSince, null, true, null);
    }

    ProviderIdentity exchange(ProviderConnection connection, CodeExchange exchange) {
        return outcome(providers.exchange(connection, exchange));
    }

    ProviderIdentity exchange(ProviderConnection connection) {
        return exchange(connection, code("a code"));
    }

    /** The status of the error that the caller gets. */
    int refusal(ProviderConnection connection, CodeExchange exchange) {
        try {
            exchange(connection, exchange);
            return 200;
        } catch (ApiException refused) {
            return refused.status().code();
        }
    }

    int refusal(ProviderConnection connection) {
        return refusal(connection, code("a code"));
    }

    Future<ProviderIdentity> begin(ProviderConnection connection) {
        return providers.exchange(connection, code("a code"));
    }

    private static <T> T outcome(Future<T> future) {
        return future.await();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
