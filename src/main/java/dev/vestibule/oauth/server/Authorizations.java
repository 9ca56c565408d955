package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.oauth.server.GrantStore.Ended;
import dev.vestibule.oauth.server.RequestStore.Name;
import dev.vestibule.oauth.server.RequestStore.Stored;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.token.SignedTokens;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Authorization requests from the client's parameters to the response: what a person still has to do, and the code at
 * the end. It knows no page and no cookie.
 */
public final class Authorizations {
    private static final Duration REQUEST_LIFETIME = Duration.ofMinutes(10);
    private static final Duration CODE_LIFETIME = Duration.ofMinutes(1);

    /** How long a used or expired code is remembered, to notice a second use, while its grant is not used. */
    private static final Duration REUSE_DETECTION = Duration.ofMinutes(10);

    private static final Duration PUSHED_LIFETIME = Duration.ofMinutes(1);

    /** Tells a request that was pushed from one that a browser has begun. */
    private static final String PUSHED = "urn:ietf:params:oauth:request_uri:";

    private static final int SECRET_BYTES = 32;
    private static final String TWO_FACTORS = "aal2";
    private static final String NOT_AGREED = "The person did not agree.";

    /** What comes after an authorization request. */
    public sealed interface Step {
        /** The request is too bad to send the browser to the client, because of this parameter. */
        record Wrong(String parameter) implements Step {}

        /** The request waits under this secret for its person, who may read in a language that the client names. */
        record Begun(String secret, @Nullable String language) implements Step {}

        /** The request has ended, was used, or belongs to another browser. */
        record Gone() implements Step {}

        /** The person has to sign in, or up. */
        record SignIn(boolean signsUp, @Nullable String loginHint) implements Step {}

        /** The person chooses between the account of the session and another one. */
        record ChooseAccount(Waiting waiting) implements Step {}

        /** The person has to agree. */
        record Consent(Waiting waiting) implements Step {}

        /** The browser goes back to the client. */
        record Answer(AuthorizationResponse response) implements Step {}

        /** The client gets nothing, and the person decides whether to go where it wants to have them. */
        record SendBack(Waiting waiting) implements Step {}

        /** The device learns at its next question what the person has decided. */
        record DeviceAnswered(boolean isAllowed) implements Step {}

        /** Whether the person goes on with a page. */
        default boolean isPage() {
            return this instanceof SignIn
                    || this instanceof ChooseAccount
                    || this instanceof Consent
                    || this instanceof SendBack;
        }
    }

    /**
     * What a person reads before they agree.
     *
     * @param clientHost the verified host of the client's metadata document; null for a registered client
     * @param redirectHost where the browser goes
     * @param isLocal whether that is this computer, where any program may wait for it
     * @param scopes standard ones that need words of ours
     * @param texts the project's words about the others, in the person's language
     * @param device where the device is that has asked, instead of a redirect; null if it was this browser
     */
    public record Waiting(
            String clientName,
            @Nullable String clientHost,
            String redirectHost,
            boolean isLocal,
            List<String> scopes,
            List<String> texts,
            @Nullable Origin device) {}

    /** Where and when a device has asked; nulls are unknown. */
    public record Origin(
            @Nullable String ipAddress, @Nullable String country, Instant at) {}

    /** The answer to a client that has pushed a request (RFC 9126, 2.2). */
    record Pushed(
            @JsonProperty("request_uri") String requestUri,
            @JsonProperty("expires_in") long expiresIn) {
        @Override
        public String toString() {
            return "Pushed";
        }
    }

    /** Somebody who is signed in in the browser. */
    public record Person(SessionId session, Authentication authentication, User user) {}

    private final Database database;
    private final Clients clients;
    private final SignedTokens tokens;
    private final AuthorizationRequestReader reader;
    private final Registry registry;
    private final RequestStore requests;
    private final ConsentStore consents = new ConsentStore();
    private final GrantStore grants = new GrantStore();
    private final DeviceRequestStore devices = new DeviceRequestStore();
    private final Clock clock;

    Authorizations(
            Database database, Registry registry, Clients clients, SignedTokens tokens, int maxOpen, Clock clock) {
        this.database = database;
        this.registry = registry;
        this.clients = clients;
        this.tokens = tokens;
        this.reader = new AuthorizationRequestReader(tokens);
        this.requests = new RequestStore(maxOpen);
        this.clock = clock;
    }

    /** Checks a request and stores it; {@code Wrong}, {@code Answer} with an error, or {@code Begun}. */
    public Future<Step> begin(ApiRequest request, MultiMap given) {
        var parameters = new Parameters(given);
        var id = parameters.find("client_id");
        if (id.isEmpty()) {
            return Future.succeededFuture(new Step.Wrong("client_id"));
        }
        return clients.find(request, id.get()).compose(found -> {
            if (found.isEmpty() || !found.get().kind().usesCodes()) {
                return Future.succeededFuture(new Step.Wrong("client_id"));
            }
            var client = found.get();
            var pushed = parameters.find("request_uri").filter(uri -> uri.startsWith(PUSHED));
            if (pushed.isPresent()) {
                return beginPushed(request, client, pushed.get());
            }
            var redirectUri = parameters.find("redirect_uri").filter(client::allowsRedirect);
            return redirectUri.isEmpty()
                    ? Future.succeededFuture(new Step.Wrong("redirect_uri"))
                    : begin(request, client, redirectUri.get(), parameters);
        });
    }

    /** An error goes to the client at once if owners trust it, or if no page may be shown; otherwise it waits too. */
    private Future<Step> begin(ApiRequest asked, Client client, String redirectUri, Parameters given) {
        var project = asked.project().id();
        return registry.resources(project)
                .compose(all -> reader.read(project, client, redirectUri, given, all))
                .map(request -> {
                    if (client.requirePushedRequests()) {
                        throw OauthError.invalidRequest("The client has to push its requests.");
                    }
                    return request;
                })
                .compose(request -> begin(asked, request, null))
                .recover(failure -> {
                    if (!(failure instanceof OauthError error)) {
                        return Future.failedFuture(failure);
                    }
                    var refused = AuthorizationRequest.refused(client, redirectUri, given, error);
                    return client.firstParty() || given.find("prompt").equals(Optional.of("none"))
                            ? Future.succeededFuture(answer(project, refused, error))
                            : begin(asked, refused, null);
                });
    }

    private Step answer(ProjectId project, AuthorizationRequest request, OauthError error) {
        return new Step.Answer(AuthorizationResponse.error(
                request.redirectUri(), request.formPost(), request.state(), tokens.issuer(project), error));
    }

    private Future<Step> begin(ApiRequest asked, AuthorizationRequest request, @Nullable String browser) {
        var secret = secret();
        var now = clock.instant();
        return requests.add(
                        database.writes(),
                        asked.project().id(),
                        Name.ofBrowser(secret),
                        request,
                        asked.network(),
                        browser,
                        now,
                        now.plus(REQUEST_LIFETIME))
                .map(new Step.Begun(secret, request.language()));
    }

    /** Goes on with a request that its client has pushed; this works once. */
    private Future<Step> beginPushed(ApiRequest asked, Client client, String uri) {
        return requests.takePushed(database.writes(), asked.project().id(), uri, clock.instant())
                .map(taken -> taken.filter(request ->
                        request.clientId().equals(client.id()) && client.allowsRedirect(request.redirectUri())))
                .compose(request -> request.isEmpty()
                        ? Future.succeededFuture(new Step.Wrong("request_uri"))
                        : begin(asked, request.get(), null));
    }

    /**
     * Goes on with the request of a device that shows this code; {@code Gone} if there is none.
     *
     * @param browser a secret of the browser in which it was typed, since only that person has seen the code
     */
    public Future<Step> beginDevice(ApiRequest asked, String userCode, String browser) {
        return devices.find(database.reads(), asked.project().id(), DeviceFlow.normalized(userCode), clock.instant())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(new Step.Gone())
                        : begin(asked, AuthorizationRequest.of(found.get()), browser));
    }

    /** Checks and keeps a request that a client pushes; fails with an {@link OauthError}. */
    Future<Pushed> push(ApiRequest asked, Client client, Parameters given) {
        if (!client.kind().usesCodes()) {
            return Future.failedFuture(OauthError.of("unauthorized_client", "Nobody signs in to this kind of client."));
        }
        if (given.has("request_uri")) {
            return Future.failedFuture(OauthError.invalidRequest("A pushed request has no request_uri."));
        }
        var redirectUri = given.find("redirect_uri").filter(client::allowsRedirect);
        if (redirectUri.isEmpty()) {
            return Future.failedFuture(OauthError.invalidRequest("The redirect_uri is not one of the client."));
        }
        var project = asked.project().id();
        var network = client.isOfOwner() && !client.isPublic() ? null : asked.network();
        var uri = PUSHED + secret();
        var now = clock.instant();
        return registry.resources(project)
                .compose(all -> reader.read(project, client, redirectUri.get(), given, all))
                .compose(request -> requests.add(
                        database.writes(),
                        project,
                        Name.ofPushed(uri),
                        request,
                        network,
                        null,
                        now,
                        now.plus(PUSHED_LIFETIME)))
                .map(new Pushed(uri, PUSHED_LIFETIME.toSeconds()));
    }

    private static String secret() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(SECRET_BYTES));
    }

    /**
     * What the person of this browser has to do next for a request.
     *
     * @param browser a secret of the browser, to which the request belongs from now on
     * @param person who is signed in there
     * @param language of the person
     */
    public Future<Step> next(
            Project project, String secret, String browser, Optional<Person> person, String language, Trail trail) {
        return open(project, secret, browser, person, language, trail, Decision.NONE);
    }

    /**
     * Whether a provider that knows the browser has to let the person of this request sign in again; false for a
     * request that has ended, or belongs to another browser.
     */
    public Future<Boolean> wantsFreshSignIn(Project project, String secret, String browser) {
        return requests.find(database.reads(), project.id(), secret, browser, null, clock.instant())
                .map(found -> found.filter(stored -> stored.request().wantsFreshSignIn())
                        .isPresent());
    }

    /** As {@link #next}, after the person has signed in for this request. */
    public Future<Step> signedIn(
            Project project, String secret, String browser, Person person, String language, Trail trail) {
        return requests.keep(database.writes(), project.id(), secret, browser, person.session(), clock.instant())
                .compose(isKept -> isKept
                        ? next(project, secret, browser, Optional.of(person), language, trail)
                        : Future.succeededFuture(new Step.Gone()));
    }

    /** The person has signed in for this request, and something else comes first. */
    public Future<Void> remember(Project project, String secret, String browser, SessionId session) {
        return requests.keep(database.writes(), project.id(), secret, browser, session, clock.instant())
                .mapEmpty();
    }

    /** As {@link #next}, after the person has chosen to go on with the account of the browser. */
    public Future<Step> chosen(
            Project project, String secret, String browser, Optional<Person> person, String language, Trail trail) {
        return open(project, secret, browser, person, language, trail, Decision.CHOSEN);
    }

    /** As {@link #next}, after the person has chosen to go back to the client without any access for it. */
    public Future<Step> sentBack(
            Project project, String secret, String browser, Optional<Person> person, String language, Trail trail) {
        return open(project, secret, browser, person, language, trail, Decision.SENT_BACK);
    }

    /** As {@link #next}, after the person has agreed, or not. */
    public Future<Step> decided(
            Project project,
            String secret,
            String browser,
            Optional<Person> person,
            boolean agrees,
            String language,
            Trail trail) {
        return open(project, secret, browser, person, language, trail, agrees ? Decision.AGREED : Decision.REFUSED);
    }

    private enum Decision {
        NONE,
        CHOSEN,
        AGREED,
        REFUSED,
        SENT_BACK
    }

    private Future<Step> open(
            Project project,
            String secret,
            String browser,
            Optional<Person> person,
            String language,
            Trail trail,
            Decision decision) {
        var account = person.map(who -> who.user().id()).orElse(null);
        return requests.find(database.reads(), project.id(), secret, browser, account, clock.instant())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(new Step.Gone())
                        : clients.known(project, found.get().request().clientId())
                                .map(known -> known.filter(found.get().request()::isAllowedTo))
                                .compose(client -> client.isEmpty()
                                        ? Future.succeededFuture(new Step.Gone())
                                        : registry.resources(project.id())
                                                .compose(all -> new Turn(
                                                                project,
                                                                secret,
                                                                browser,
                                                                found.get(),
                                                                client.get(),
                                                                all,
                                                                language,
                                                                trail)
                                                        .take(person, decision))));
    }

    /** One look at a request. */
    private final class Turn {
        private final Project project;
        private final String secret;
        private final String browser;
        private final Stored stored;
        private final AuthorizationRequest request;
        private final @Nullable SessionId signedInFor;
        private final Client client;
        private final List<Resource> asked;
        private final String language;
        private final Trail trail;

        Turn(
                Project project,
                String secret,
                String browser,
                Stored stored,
                Client client,
                List<Resource> all,
                String language,
                Trail trail) {
            this.project = project;
            this.secret = secret;
            this.browser = browser;
            this.stored = stored;
            this.request = stored.request();
            this.signedInFor = stored.session();
            this.client = client;
            this.asked = all.stream()
                    .filter(resource -> request.resources().contains(resource.uri()))
                    .toList();
            this.language = language;
            this.trail = trail;
        }

        Future<Step> take(Optional<Person> person, Decision decision) {
            return step(person, decision)
                    .recover(failure -> failure instanceof OauthError error
                            ? refused(decision, error)
                            : Future.failedFuture(failure))
                    .compose(step -> step.isPage() && !stored.isKept() ? keep(step) : Future.succeededFuture(step));
        }

        private Future<Step> keep(Step page) {
            return requests.keep(database.writes(), project.id(), secret, browser, null, clock.instant())
                    .map(isKept -> isKept ? page : new Step.Gone());
        }

        /** Fails with an {@link OauthError} for the client. */
        private Future<Step> step(Optional<Person> person, Decision decision) {
            var refusal = request.refusal();
            if (refusal != null) {
                return refuse(refusal.error(), refusal.description());
            }
            if (asked.size() < request.resources().size()) {
                return refuse("invalid_target", "A resource is unknown.");
            }
            if (decision == Decision.REFUSED) {
                person.ifPresent(who -> trail.as(who.user().id().value())
                        .enqueue(
                                Logged.GRANT_REFUSED,
                                Target.user(who.user().id().value()),
                                Map.of("clientId", client.id())));
                return refuse("access_denied", NOT_AGREED);
            }
            var silent = request.prompts("none");
            if (person.isEmpty()) {
                return silent ? refuse("login_required", "Nobody is signed in.") : signIn();
            }
            var who = person.get();
            var isFresh = who.session().equals(signedInFor);
            if (request.hintedUser() != null
                    && !request.hintedUser().equals(who.user().id().toString())) {
                return silent || isFresh ? refuse("login_required", "Another account is signed in.") : signIn();
            }
            if (!isFresh && (request.prompts("login") || request.prompts("create") || isTooOld(who))) {
                return silent ? refuse("login_required", "The sign in is too old.") : signIn();
            }
            if (!hasAssurance(who) && (request.acrIsEssential() || (!isFresh && !silent && canStepUp(who)))) {
                return silent || isFresh
                        ? refuse("unmet_authentication_requirements", "The person did not sign in in the way required.")
                        : signIn();
            }
            if (!isFresh && decision == Decision.NONE && request.prompts("select_account")) {
                return Future.succeededFuture(new Step.ChooseAccount(waiting(List.of(), null)));
            }
            return consent(who, decision, silent, stored.agreed());
        }

        private Future<Step> signIn() {
            return Future.succeededFuture(new Step.SignIn(request.prompts("create"), request.loginHint()));
        }

        private boolean isTooOld(Person who) {
            var maxAge = request.maxAge();
            return maxAge != null
                    && Duration.between(who.authentication().at(), clock.instant())
                                    .toSeconds()
                            >= maxAge;
        }

        private boolean hasAssurance(Person who) {
            var assurance = Authentication.assurance(who.authentication().methods());
            return request.acrValues().isEmpty()
                    || request.acrValues().contains(assurance)
                    || (TWO_FACTORS.equals(assurance) && request.acrValues().contains("aal1"));
        }

        private boolean canStepUp(Person who) {
            return request.acrValues().contains(TWO_FACTORS) && who.user().hasSecondFactor(project);
        }

        private Future<Step> consent(Person who, Decision decision, boolean silent, Map<String, List<String>> given) {
            var wanted = wanted();
            var missing = wanted.entrySet().stream()
                    .filter(entry -> !given.containsKey(entry.getKey())
                            || !given.getOrDefault(entry.getKey(), List.of()).containsAll(entry.getValue()))
                    .toList();
            var isNeeded = request.device() != null // anybody may have sent the person there
                    || request.prompts("consent")
                    || (!client.firstParty() && (!missing.isEmpty() || !isHost()));
            if (isNeeded && decision == Decision.SENT_BACK) {
                return refuse("access_denied", NOT_AGREED);
            }
            if (isNeeded && decision != Decision.AGREED) {
                return silent ? refuse("consent_required", "The person has not agreed yet.") : ask(request.device());
            }
            return grant(who, isNeeded ? wanted : Map.of());
        }

        private Future<Step> ask(@Nullable Buffer device) {
            var scopes = request.consentScopes();
            return device == null
                    ? Future.succeededFuture(new Step.Consent(waiting(scopes, null)))
                    : devices.find(database.reads(), project.id(), device, clock.instant())
                            .map(found -> found.<Step>map(waiting -> new Step.Consent(waiting(
                                            scopes,
                                            new Origin(waiting.ipAddress(), waiting.country(), waiting.createdAt()))))
                                    .orElseGet(Step.Gone::new));
        }

        /**
         * What there is to agree to, by the URI of the API. Of a client that nobody vouches for, people know only where
         * they go after that: so they agree to all of it for that place, and are asked again for another one.
         */
        private Map<String, List<String>> wanted() {
            var wanted = new LinkedHashMap<String, List<String>>();
            if (!client.isOfOwner()) {
                wanted.put(
                        destination(),
                        Stream.concat(request.consentScopes().stream(), request.resources().stream())
                                .toList());
            }
            wanted.put(
                    ConsentStore.NO_RESOURCE,
                    request.consentScopes().stream()
                            .filter(StandardScopes.ALL::contains)
                            .toList());
            asked.forEach(resource -> wanted.put(
                    resource.uri(),
                    request.scopes().stream().filter(resource::has).toList()));
            return wanted;
        }

        /** Programs on the person's computer are asked about every time, so they need not be told apart here. */
        private String destination() {
            return ConsentStore.destination(
                    request.device() != null ? "a device" : isHost() ? host(request.redirectUri()) : "a program");
        }

        /** Any program can wait on a loopback address or for a scheme, and pretend to be the client (RFC 8252, 8.6). */
        private boolean isHost() {
            return request.redirectUri().startsWith("https:");
        }

        private Waiting waiting(List<String> scopes, @Nullable Origin device) {
            var texts = new ArrayList<String>();
            for (var resource : asked) {
                if (resource.scopes().stream().map(Resource.Scope::name).noneMatch(scopes::contains)) {
                    texts.add(resource.name()); // whose server may take the token all the same
                }
                resource.scopes().stream()
                        .filter(scope -> scopes.contains(scope.name()))
                        .map(scope -> resource.name() + ": " + scope.text(language))
                        .forEach(texts::add);
            }
            return new Waiting(
                    client.name(),
                    client.kind() == ClientKind.DOCUMENT ? host(client.id()) : null,
                    device == null ? host(request.redirectUri()) : "",
                    Client.isLoopback(request.redirectUri()),
                    scopes.stream().filter(StandardScopes.ALL::contains).toList(),
                    texts,
                    device);
        }

        private Future<Step> grant(Person who, Map<String, List<String>> agreed) {
            var now = clock.instant();
            var device = request.device();
            var code = secret();
            var codeExpiresAt = now.plus(device == null ? CODE_LIFETIME : DeviceFlow.LIFETIME);
            var grant = new Grant(
                    UuidCreator.getTimeOrderedEpoch(),
                    client.id(),
                    who.user().id(),
                    who.session(),
                    request.scopes().contains(StandardScopes.OFFLINE_ACCESS),
                    request.scopes(),
                    request.resources(),
                    request.idTokenClaims(),
                    request.userinfoClaims(),
                    who.authentication().at(),
                    who.authentication().methods(),
                    request.nonce(),
                    device == null ? request.redirectUri() : null,
                    request.codeChallenge(),
                    request.keyThumbprint(),
                    0,
                    now,
                    codeExpiresAt.plus(REUSE_DETECTION));
            var gone = new VertxException("the request has ended", true);
            Step granted = device == null
                    ? new Step.Answer(AuthorizationResponse.code(request, code, tokens.issuer(project.id())))
                    : new Step.DeviceAnswered(true);
            return database.inTransaction(transaction -> (device == null
                                    ? Future.succeededFuture(true)
                                    : devices.take(transaction, project.id(), device, now))
                            .compose(isThere -> require(isThere, gone))
                            .compose(taken -> grants.addForRequest(
                                    transaction,
                                    project.id(),
                                    grant,
                                    device == null ? GrantStore.hash(code) : device,
                                    codeExpiresAt,
                                    secret,
                                    browser))
                            .compose(added -> require(added.isAdded(), gone)
                                    .compose(isThere -> GrantNews.ended(
                                            trail,
                                            transaction,
                                            project.id(),
                                            added.evicted().stream()
                                                    .filter(Ended::wasUsed)
                                                    .toList(),
                                            false,
                                            "evicted")))
                            .compose(told -> consents.add(transaction, project.id(), grant, agreed, now))
                            .compose(agreedTo -> GrantNews.created(
                                    trail.as(who.user().id().value()), transaction, project.id(), grant))
                            .map(granted))
                    .recover(failure ->
                            failure == gone ? Future.succeededFuture(new Step.Gone()) : Future.failedFuture(failure));
        }

        /** Undoes the transaction if somebody else was faster, or what was asked for is no longer there. */
        private static Future<Void> require(boolean isThere, VertxException gone) {
            return isThere ? Future.succeededFuture() : Future.failedFuture(gone);
        }

        private static Future<Step> refuse(String error, String description) {
            return Future.failedFuture(OauthError.of(error, description));
        }

        /**
         * A request that a stranger made up must not be enough to send people to an address of the stranger's choice.
         */
        private Future<Step> refused(Decision decision, OauthError error) {
            var device = request.device();
            if (device != null) {
                return take().compose(taken -> devices.refuse(database.writes(), project.id(), device))
                        .map(new Step.DeviceAnswered(false));
            }
            return mayAnswer(decision)
                    ? take().map(taken -> taken ? answer(project.id(), request, error) : new Step.Gone())
                    : Future.succeededFuture(new Step.SendBack(waiting(List.of(), null)));
        }

        private Future<Boolean> take() {
            return requests.take(database.writes(), project.id(), secret, browser, clock.instant());
        }

        /**
         * RFC 9700, 4.11.2: with an error the browser goes on by itself only to a client that owners trust, to a place
         * that this person has agreed to before, or if the client wants no page at all. A person who refuses what an
         * owner has registered has read where they go; anybody can register the others.
         */
        private boolean mayAnswer(Decision decision) {
            return client.firstParty()
                    || request.prompts("none")
                    || decision == Decision.SENT_BACK
                    || (decision == Decision.REFUSED && client.isOfOwner())
                    || (client.isOfOwner()
                            ? !stored.agreed().isEmpty()
                            : stored.agreed().containsKey(destination()));
        }
    }

    /**
     * The host of a web address, which need not follow RFC 3986; of the address of a native application, its scheme.
     */
    private static String host(String uri) {
        return RedirectUrl.parse(uri).map(RedirectUrl::host).orElseGet(() -> uri.substring(0, uri.indexOf(':') + 1));
    }
}
