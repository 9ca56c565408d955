package dev.vestibule.access;

import dev.vestibule.http.RequestRecord;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.member.Role;
import dev.vestibule.token.AccessToken;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.directory.Directory;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who sent a request, as its credentials prove; handlers see it through {@link ApiRequest}. */
public sealed interface Caller {
    /**
     * The holder of one of the project's API keys.
     *
     * @param hasUnverifiedToken whether the request also has an invalid access token, on a route where the key is
     *     enough
     */
    record KeyHolder(Project project, ApiVariant variant, ApiKey.Kind kind, UUID keyId, boolean hasUnverifiedToken)
            implements Caller {
        KeyHolder(Project project, ApiVariant variant, ApiKey.Kind kind, UUID keyId) {
            this(project, variant, kind, keyId, false);
        }

        KeyHolder withUnverifiedToken() {
            return new KeyHolder(project, variant, kind, keyId, true);
        }

        boolean isServer() {
            return kind == ApiKey.Kind.SECRET;
        }
    }

    /** A client without a key: it names the project, as Variant B's clients do, or the route does. */
    record ProjectClient(Project project, ApiVariant variant) implements Caller {}

    /**
     * A visitor with the setup link of an organization: its own administrator, without an account.
     *
     * @param maker the member who has made the link, and whose role says what it allows; null for management
     */
    record SetupVisitor(
            Project project, UUID organization, @Nullable UserId maker) implements Caller {}

    /** A user whose session is active. */
    record SignedIn(Project project, AccessToken token, User user) implements Caller {}

    /** A dashboard user, in a project that they are a member of. */
    record Member(Project project, SignedIn who, Role role) implements Caller {}

    /** The identity provider of an organization, with a token of this directory, by the token's id. */
    record OfDirectory(Project project, Directory directory, UUID token) implements Caller {}

    /** A caller without credentials, on a route that asks for none. */
    record Anonymous() implements Caller {}

    /** Whether the application's server sends the request (with the secret key) and not a user's browser. */
    static boolean isServer(RoutingContext ctx) {
        return of(ctx) instanceof KeyHolder holder && holder.isServer();
    }

    /** The caller that the guard has found. */
    static Caller of(RoutingContext ctx) {
        return find(ctx).orElseThrow(() -> new IllegalStateException("the route has no guard"));
    }

    /** The caller, if known yet; empty while the guard waits for the body. */
    static Optional<Caller> find(RoutingContext ctx) {
        return Optional.ofNullable(ctx.get(Caller.class.getName()));
    }

    /** The user whose access token was sent, as a user or as a member of a project. */
    static Optional<SignedIn> signedIn(Caller caller) {
        return caller instanceof Member member
                ? Optional.of(member.who())
                : caller instanceof SignedIn user ? Optional.of(user) : Optional.empty();
    }

    /** The project that the caller belongs to or names; empty for one without credentials. */
    static Optional<Project> projectOf(Caller caller) {
        if (caller instanceof KeyHolder holder) {
            return Optional.of(holder.project());
        }
        if (caller instanceof ProjectClient client) {
            return Optional.of(client.project());
        }
        if (caller instanceof SetupVisitor visitor) {
            return Optional.of(visitor.project());
        }
        if (caller instanceof Member member) {
            return Optional.of(member.project());
        }
        if (caller instanceof OfDirectory one) {
            return Optional.of(one.project());
        }
        return caller instanceof SignedIn user ? Optional.of(user.project()) : Optional.empty();
    }

    /** Stores the caller for the handlers that come after the guard. */
    static void put(RoutingContext ctx, Caller caller) {
        ctx.put(Caller.class.getName(), caller);
        var record = RequestRecord.of(ctx.request());
        projectOf(caller).ifPresent(project -> record.project(project.id()));
        if (caller instanceof SignedIn who) {
            record.user(who.user().id());
        } else if (caller instanceof Member member) {
            record.user(member.who().user().id());
        }
    }

    /**
     * The scope of rate limits: the id of the project or directory, or the empty string. Members count together as
     * dashboard users, whichever project they manage.
     */
    static String rateLimitScope(RoutingContext ctx) {
        var caller = of(ctx);
        if (caller instanceof OfDirectory one) {
            return one.directory().id().toString();
        }
        return projectOf(caller instanceof Member member ? member.who() : caller)
                .map(project -> project.id().toString())
                .orElse("");
    }
}
