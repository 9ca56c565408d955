package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Floor;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.catalogue.CatalogueEntry;
import dev.vestibule.oauth.catalogue.CatalogueSetting;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.provider.ProviderSettings.SetProviderRequest;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Identity providers of a project, as applications see them and as its owners set them up. */
public final class ProviderHandler {
    /** The discovery document is public, and is asked for without one. */
    private static final String NO_SECRET = "";

    private final Database database;
    private final ProjectChanges changes;
    private final ProviderStore store;
    private final EnabledProviders enabled;
    private final Catalogue catalogue;
    private final IdentityProviderClient client;
    private final ProjectStore projects = new ProjectStore();
    private final HashingPool workers;
    private final boolean allowPrivate;
    private final int maxOwn;
    private final String redirectUri;
    private final Clock clock;

    public ProviderHandler(
            Floor floor,
            ProviderStore store,
            EnabledProviders enabled,
            Catalogue catalogue,
            IdentityProviderClient client,
            String redirectUri) {
        this.database = floor.database();
        this.changes = new ProjectChanges(database, floor.feed());
        this.store = store;
        this.enabled = enabled;
        this.catalogue = catalogue;
        this.client = client;
        this.workers = floor.workers();
        this.allowPrivate = floor.settings().oauth().allowPrivateIssuers();
        this.maxOwn = floor.settings().oauth().maxOwnProviders();
        this.redirectUri = redirectUri;
        this.clock = floor.clock();
    }

    /** {@code GET /v1/auth/providers}: the identity providers that a project has enabled. */
    public Future<Reply> list(ApiRequest request) {
        return enabled.reply(database.reads(), request.project().id());
    }

    private record SettingsList(
            List<ProviderSettings> providers, int total, List<AvailableProvider> available, String redirectUri) {}

    /** {@code GET /v1/dashboard/projects/:projectId/providers}: a project's provider settings, without the secrets. */
    public Future<Reply> listSettings(ApiRequest request) {
        return store.list(database.writes(), request.project().id())
                .map(settings -> Reply.ok(new SettingsList(
                        settings, settings.size(), available(request.project().id(), settings), redirectUri)));
    }

    /** The catalogue, and what the project has named itself. */
    private List<AvailableProvider> available(ProjectId project, List<ProviderSettings> settings) {
        var titles = settings.stream().collect(Collectors.toMap(ProviderSettings::provider, ProviderSettings::title));
        return Stream.concat(
                        catalogue.providers().stream(),
                        settings.stream().map(ProviderSettings::provider).filter(Provider::isOwn))
                .flatMap(provider -> catalogue.find(provider.inCatalogue()).stream()
                        .map(entry -> AvailableProvider.of(
                                provider,
                                titles.getOrDefault(provider, provider.title()),
                                entry,
                                project,
                                redirectUri)))
                .toList();
    }

    private record Stored(@JsonUnwrapped ProviderSettings settings, List<String> warnings) {}

    /**
     * {@code PUT /v1/dashboard/projects/:projectId/providers/:provider}: creates or replaces the settings of a
     * provider.
     */
    public Future<Reply> set(ApiRequest request) {
        var project = request.project().id();
        var provider = Provider.fromPath(request.pathParam("provider"));
        var entry = catalogue
                .find(provider.inCatalogue())
                .filter(known -> !provider.isConnection()) // which only its organization changes
                .orElseThrow(Provider::unknown);
        var rules = new ProviderFields(entry, allowPrivate);
        var body = request.body();
        var given = Body.names(body);
        var trail = request.trail();
        return store.find(database.writes(), project, provider)
                .compose(stored -> workers.run(
                        project.value(),
                        JobLength.LONG, // an icon is parsed as a logo is
                        () -> Fields.readStrictly(body, fields -> rules.read(fields, stored))))
                .compose(input -> put(trail, project, provider, input, given))
                .compose(settings -> warnings(new ProviderConnection(project, entry, settings, NO_SECRET, null))
                        .map(warnings -> Reply.ok(new Stored(settings, warnings))));
    }

    /** What keeps users from signing in with an organization's connection, which is stored anyway. */
    public Future<List<String>> warnings(ProjectId project, Provider connection) {
        return store.connectionToTry(database.writes(), project, connection)
                .compose(found -> found.isPresent() ? warnings(found.get()) : Future.succeededFuture(List.of()));
    }

    /** The issuer may just be down, so its settings are stored anyway; but a misspelt one shows up here. */
    private Future<List<String>> warnings(ProviderConnection connection) {
        return connection.entry().isIssuerOfProject()
                ? client.problem(connection)
                        .map(found -> found.stream()
                                .map(problem ->
                                        problem + " Until its discovery document can be read, nobody can sign in with "
                                                + connection.issuer() + ".")
                                .toList())
                : Future.succeededFuture(List.of());
    }

    private Future<ProviderSettings> put(
            Trail trail, ProjectId project, Provider provider, SetProviderRequest input, List<String> given) {
        return changes.inTransaction(
                project,
                transaction -> requireRoom(transaction, project, provider)
                        .compose(room -> store.put(transaction, project, provider, input, clock.instant()))
                        .map(found -> found.orElseThrow(() -> notStored(input)))
                        .compose(stored -> trail.record(
                                        transaction,
                                        Logged.PROVIDER_SET,
                                        Target.project(project.value()),
                                        Map.of("provider", provider.name(), "fields", given))
                                .map(stored)));
    }

    /** A 409 if the project cannot name one more. */
    private Future<Void> requireRoom(SqlConnection transaction, ProjectId project, Provider provider) {
        return provider.isOwn()
                ? projects.lock(transaction, project)
                        .compose(locked -> store.list(transaction, project))
                        .map(all -> {
                            var others =
                                    all.stream().map(ProviderSettings::provider).filter(Provider::isOwn);
                            if (others.filter(other -> !other.equals(provider)).count() >= maxOwn) {
                                throw ApiException.of(
                                        ErrorCode.LIMIT_REACHED,
                                        "The project has named " + maxOwn + " OpenID providers, as many as the server's"
                                                + " setting oauth.maxOwnProviders allows.");
                            }
                            return null;
                        })
                : Future.succeededFuture();
    }

    private static ApiException notStored(SetProviderRequest input) {
        return input.clientSecret() == null
                ? ApiException.invalid(
                        List.of(new Violation("clientSecret", "is required"))) // deleted or changed since it was read
                : ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.");
    }

    /**
     * {@code DELETE /v1/dashboard/projects/:projectId/providers/:provider}: deletes a project's settings of a provider.
     */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        var provider = Provider.fromPath(request.pathParam("provider"));
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> store.delete(transaction, project, provider)
                                .compose(isDeleted -> isDeleted
                                        ? trail.record(
                                                transaction,
                                                Logged.PROVIDER_REMOVED,
                                                Target.project(project.value()),
                                                Map.of("provider", provider.name()))
                                        : Future.failedFuture(
                                                ApiException.of(ErrorCode.NOT_FOUND, "The provider is not set up."))))
                .map(deleted -> Reply.success());
    }

    /**
     * A provider that a project can set up, and the settings that it needs.
     *
     * @param redirectUri to enter at the provider if this server takes the code
     * @param registrationUrl the provider's own page where an application is registered
     * @param settings what the provider needs in addition to client id and secret
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record AvailableProvider(
            Provider provider,
            String name,
            List<String> scopes,
            List<Setting> settings,
            boolean hasNativeSignIn,
            boolean hasPrivateKey,
            String redirectUri,
            @Nullable String registrationUrl) {

        /**
         * One of {@code issuer}, {@code tenant}, {@code teamId} and {@code keyId}; without a default it is required.
         */
        @JsonInclude(JsonInclude.Include.ALWAYS)
        record Setting(String name, @Nullable String defaultValue) {}

        static AvailableProvider of(
                Provider provider, String name, CatalogueEntry entry, ProjectId project, String sharedRedirectUri) {
            var registration = entry.registration();
            return new AvailableProvider(
                    provider,
                    name,
                    entry.scopes(),
                    Arrays.stream(CatalogueSetting.values())
                            .filter(entry.settings()::containsKey)
                            .map(setting -> new Setting(
                                    setting.fieldName(),
                                    entry.defaultOf(setting).orElse(null)))
                            .toList(),
                    entry.hasNativeSignIn(),
                    entry.clientAuthentication() == ClientAuthentication.APPLE_JWT,
                    entry.isIssuerOfProject()
                            ? ReturnAddress.of(sharedRedirectUri, project, provider)
                            : sharedRedirectUri,
                    registration == null ? null : registration.text());
        }
    }
}
