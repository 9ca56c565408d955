package dev.vestibule.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.access.Caller.OfDirectory;
import dev.vestibule.access.Caller.ProjectClient;
import dev.vestibule.access.Caller.SetupVisitor;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Body;
import dev.vestibule.http.Credentials;
import dev.vestibule.http.Form;
import dev.vestibule.http.Query;
import dev.vestibule.http.UnknownFields;
import dev.vestibule.journal.Actor;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Environment;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.Role;
import dev.vestibule.session.Device;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.directory.Directory;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request that its route's guard has let through: who sends it and about which project, from where and in which
 * language, and what it asks for.
 */
public final class ApiRequest {
    private final RoutingContext ctx;
    private final DeviceReader devices;
    private final Journal journal;
    private @Nullable Device device;
    private @Nullable Language pageLanguage;

    ApiRequest(RoutingContext ctx, DeviceReader devices, Journal journal) {
        this.ctx = ctx;
        this.devices = devices;
        this.journal = journal;
    }

    /**
     * The project that the request is about; open routes have one only after a page has {@linkplain #enter found} it.
     */
    public Project project() {
        return Caller.projectOf(caller()).orElseThrow(() -> new IllegalStateException("the route names no project"));
    }

    /** The variant of the public API that the request follows. */
    public ApiVariant variant() {
        var caller = caller();
        if (caller instanceof KeyHolder holder) {
            return holder.variant();
        }
        return caller instanceof ProjectClient client ? client.variant() : ApiVariant.B;
    }

    /** The user behind the request; only on routes whose guard asks for a user or a member. */
    public SignedIn user() {
        return caller() instanceof Member member ? member.who() : (SignedIn) caller();
    }

    /** The user behind the request, on routes where a user's token is one of several credentials. */
    public Optional<SignedIn> userIfAny() {
        return caller() instanceof SignedIn user ? Optional.of(user) : Optional.empty();
    }

    /** The member with whose rights a visitor sets up an organization; empty if these are management's. */
    public Optional<UserId> makerOfSetupLink() {
        return caller() instanceof SetupVisitor visitor ? Optional.ofNullable(visitor.maker()) : Optional.empty();
    }

    /** Which secret key or member of the project manages it; empty for other callers. */
    public Optional<UUID> manager() {
        if (caller() instanceof KeyHolder key && key.isServer()) {
            return Optional.of(key.keyId());
        }
        return caller() instanceof Member member
                ? Optional.of(member.who().user().id().value())
                : Optional.empty();
    }

    /** The user whose access token was sent, as a user or as a member of a project. */
    public Optional<SignedIn> signedIn() {
        return Caller.signedIn(caller());
    }

    /** The text of the token that {@link #user} comes with. */
    public String accessToken() {
        return Credentials.of(ctx).bearer().orElseThrow();
    }

    /** Whether the application's server sends the request, with the secret key, and not a user's browser. */
    public boolean isServer() {
        return caller() instanceof KeyHolder holder && holder.isServer();
    }

    /** Whether an access token came along with the key that is not good; see {@link Guard#KEY_OR_USER}. */
    public boolean hasUnverifiedToken() {
        return caller() instanceof KeyHolder holder && holder.hasUnverifiedToken();
    }

    /** The member's role in the project; only on routes whose guard asks for a member. */
    public Role role() {
        return ((Member) caller()).role();
    }

    /**
     * Whether the caller may see what an application keeps about its users for itself: its server can, and members of
     * the project who can make a secret key. Only on routes whose guard asks for a server or a member.
     */
    public boolean canSeePrivateData() {
        return isServer() || role().includes(Role.DEVELOPER);
    }

    /** Fails as the route's guard does, if the caller has lost the right by now: for operations that take long. */
    public Future<Void> requireStillAllowed() {
        return GuardHandler.requireStillAllowed(ctx);
    }

    private Caller caller() {
        return Caller.of(ctx);
    }

    /** The client of a page of ours, which asks for this project, is the caller from now on. */
    void enter(Project project) {
        Caller.put(ctx, new ProjectClient(project, ApiVariant.A));
    }

    /** The person who is signed in on a page of ours is the caller from now on. */
    void enter(SignedIn person) {
        Caller.put(ctx, person);
    }

    /** The visitor with the setup link of an organization is the caller from now on. */
    void enter(SetupVisitor visitor) {
        Caller.put(ctx, visitor);
    }

    /** The browser or program that sent the request, and its address. */
    public Device device() {
        var known = device;
        if (known == null) {
            known = devices.read(ctx);
            device = known;
        }
        return known;
    }

    /** The browser is that of this session, so that one more sign in is not one more browser. */
    public void comesFromBrowserOf(SessionId session) {
        device = device().in(session);
    }

    /** The widest network that one customer has, such as the /48 of an IPv6 address. */
    public Buffer network() {
        return devices.network(ctx);
    }

    /** The language in which to write to the sender, by {@code Accept-Language} and the project's settings. */
    public Language language() {
        return language(project());
    }

    /** The language in which to write to the sender about this project. */
    public Language language(Project project) {
        return pageLanguage == null ? project.language(header(HttpHeaders.ACCEPT_LANGUAGE)) : pageLanguage;
    }

    /** The sender reads a page of ours in this language, whatever the header says. */
    public void readsIn(Language language) {
        pageLanguage = language;
    }

    /** Where to record what the caller changes; only on routes whose guard settles a project. */
    public Trail trail() {
        return trailIn(project().id());
    }

    /** Where to record what the caller changes, in the log of another project. */
    public Trail trailIn(ProjectId project) {
        return new Trail(journal, project, actor());
    }

    /** The directory whose token was sent; only on routes whose guard asks for one. */
    public Directory directory() {
        return ((OfDirectory) caller()).directory();
    }

    /** The id of that token. */
    public UUID directoryToken() {
        return ((OfDirectory) caller()).token();
    }

    private Actor actor() {
        if (caller() instanceof OfDirectory one) {
            return new Actor(Actor.Type.DIRECTORY, one.directory().id(), device().ipAddress(), device().userAgent());
        }
        if (caller() instanceof SetupVisitor visitor) {
            return new Actor(Actor.Type.SETUP_LINK, visitor.organization(), device().ipAddress(), device().userAgent());
        }
        return caller() instanceof KeyHolder holder && holder.isServer()
                ? new Actor(Actor.Type.API_KEY, holder.keyId(), device().ipAddress(), device().userAgent())
                : signedIn().map(this::person).orElseGet(() -> person(project().id(), null));
    }

    /** In an impersonated session, it is the impersonator who acts. */
    private Actor person(SignedIn who) {
        var impersonator = who.token().impersonator();
        return person(who.project().id(), who.user().id().value())
                .impersonatedBy(impersonator == null ? null : impersonator.value());
    }

    private Actor person(ProjectId project, @Nullable UUID id) {
        return Actor.person(project, id, device().ipAddress(), device().userAgent());
    }

    /** The JSON object in the body, which can be read once; a 400 if it is missing, not JSON or not an object. */
    public ObjectNode body() {
        return Body.of(ctx);
    }

    /** As {@link #body}, but an empty object where there is no body. */
    public ObjectNode bodyOrEmpty() {
        return Body.orEmpty(ctx);
    }

    /** As {@link #body}, but it is not used up, and empty where there is none. */
    public Optional<ObjectNode> bodyIfAny() {
        return Body.find(ctx);
    }

    /**
     * The fields of the body; a 422 that names all violations. Fields that the reader does not ask for are ignored; in
     * a test project, the response names them.
     */
    public <T> T fields(Function<Fields, T> reader) {
        var isTest = Caller.projectOf(caller())
                .filter(project -> project.environment() == Environment.TEST)
                .isPresent();
        return isTest ? UnknownFields.reading(ctx, body(), reader) : Fields.read(body(), reader);
    }

    /** As {@link #fields}, but a field that the reader does not ask for is a violation too. */
    public <T> T allFields(Function<Fields, T> reader) {
        return Fields.readStrictly(body(), reader);
    }

    /** The operation of a form reads its fields as a body. */
    public void replaceBody(ObjectNode body) {
        Body.replace(ctx, body);
    }

    /** The operation of a form reads what the form is about as a part of its own path. */
    public void replacePathParam(String parameter, String value) {
        ctx.pathParams().put(parameter, value);
    }

    /** The body as it came; empty without one. */
    public Buffer bytes() {
        return Body.received(ctx);
    }

    /** The fields of a form in the body; a 400 if it is not well-formed. */
    public MultiMap form() {
        return Form.of(ctx);
    }

    /** The query of a management operation, where a parameter that the reader does not ask for is a 422. */
    public <T> T query(Function<Fields, T> reader) {
        return Query.read(ctx, reader);
    }

    /** All query parameters, the first of each name. */
    public ObjectNode queryFields() {
        return Query.of(ctx);
    }

    public MultiMap queryParams() {
        return ctx.queryParams();
    }

    /** The id in the path; a 404 if the text is not a UUID, because nothing can have it as its id. */
    public UUID pathId(String parameter) {
        return Uuids.parse(ctx.pathParam(parameter))
                .orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is nothing with this id."));
    }

    /** The text in the path; null where the route has no such parameter. */
    public String pathParam(String parameter) {
        return ctx.pathParam(parameter);
    }

    public @Nullable String header(CharSequence name) {
        return ctx.request().getHeader(name);
    }

    public String path() {
        return ctx.normalizedPath();
    }

    /** The request itself, for handlers of cookies and streams. */
    public HttpServerRequest http() {
        return ctx.request();
    }

    public Vertx vertx() {
        return ctx.vertx();
    }

    /**
     * Before the work of checking a credential that the guard does not know; a 429 if the network had too many bad
     * ones.
     */
    public void beforeLookup() {
        Attempt.of(ctx).beforeLookup();
    }

    /** Counts an invalid credential, if checking it cost a look-up. */
    public void countBadCredentials() {
        Attempt.of(ctx).countIfCostly();
    }

    /**
     * Before the work of checking what somebody sends as this client of the project; a 429 if the network has too often
     * sent what was wrong. What other networks send does not count: nobody can lock a client out from elsewhere.
     *
     * @param client its id; empty for those that do not exist
     */
    public void beforeCheckOfClient(String client) {
        Attempt.of(ctx).beforeCheckOf(holder(client));
    }

    /** What was sent as this client of the project was wrong; a 429 if the network has done so too often. */
    public void countWrongOfClient(String client) {
        Attempt.of(ctx).countWrongOf(holder(client));
    }

    private String holder(String client) {
        return project().id() + " " + client;
    }

    /** For the writers of streams and files. */
    public RoutingContext context() {
        return ctx;
    }
}
