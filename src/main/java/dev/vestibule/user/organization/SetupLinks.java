package dev.vestibule.user.organization;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.project.Project;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.Role;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.SetupLinkStore.Maker;
import dev.vestibule.user.organization.SetupLinkStore.Stored;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The links with which an organization's own administrator proves its domains, connects its identity provider and sets
 * up its directories, without an account. Each organization has one at most; it allows this and nothing else until it
 * expires, and no more than the role of the member who has made it allows at the time. It ends with the member's API
 * keys, when the account may have been somebody else's. The database has only its hash, which needs no key: nobody
 * guesses 256 bits.
 */
public final class SetupLinks {
    private static final String PREFIX = "sl_";
    private static final int SECRET_BYTES = 32;

    /** A link gives the rights to all of these, so only who has them gives one. */
    private static final List<String> NEEDED = List.of(
            OrganizationRoles.MANAGE_DOMAINS,
            OrganizationRoles.MANAGE_CONNECTIONS,
            OrganizationRoles.MANAGE_DIRECTORIES);

    private final Database database;
    private final Organizations organizations;
    private final SetupLinkStore store = new SetupLinkStore();
    private final MemberStore projectMembers = new MemberStore();
    private final URI publicUrl;
    private final Clock clock;

    SetupLinks(Database database, Organizations organizations, URI publicUrl, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    /** A link as it is shown, once. */
    record Created(String url, Instant expiresAt) {
        /** Leaves out the link, so that it never reaches a log. */
        @Override
        public String toString() {
            return "SetupLinks.Created[" + expiresAt + "]";
        }
    }

    /**
     * A new link, which ends the last one.
     *
     * @param manager the secret key or the member of the project that makes it; null if a member of the organization
     *     does
     */
    Future<Created> create(OrganizationCaller caller, OrganizationId id, @Nullable UUID manager, Duration lifetime) {
        var token = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(SECRET_BYTES));
        var now = clock.instant();
        var created =
                new Created(publicUrl + "/p/" + caller.project().slug() + "/setup/?token=" + token, now.plus(lifetime));
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .compose(organization -> store.replace(
                                transaction,
                                organization,
                                hash(token),
                                new Maker(caller.user(), manager),
                                now,
                                created.expiresAt())
                        .compose(stored -> caller.trail()
                                .record(
                                        transaction,
                                        Logged.ORGANIZATION_SETUP_LINK_CREATED,
                                        Target.organization(id.value()),
                                        Map.of("expiresAt", created.expiresAt())))
                        .map(created)));
    }

    private Future<Organization> lock(SqlConnection transaction, OrganizationCaller caller, OrganizationId id) {
        return organizations.lock(transaction, caller, id).map(access -> {
            NEEDED.forEach(access::require);
            return access.organization();
        });
    }

    /** Ends the link, if there is one. */
    Future<Void> revoke(OrganizationCaller caller, OrganizationId id) {
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .compose(organization -> store.remove(transaction, organization))
                .compose(removed -> removed
                        ? caller.trail()
                                .record(
                                        transaction,
                                        Logged.ORGANIZATION_SETUP_LINK_REVOKED,
                                        Target.organization(id.value()))
                        : Future.succeededFuture()));
    }

    /**
     * A link that is good.
     *
     * @param maker the member whose role says what it allows; null for management's
     */
    public record Opened(
            OrganizationId organization, @Nullable UserId maker) {}

    /**
     * The link that has this token; empty for one that is unknown, replaced, revoked or expired, or whose maker could
     * not make it any more: otherwise somebody who was removed could still connect a provider of their own.
     */
    public Future<Optional<Opened>> find(Project project, String token) {
        return store.find(database.writes(), project.id(), hash(token), clock.instant())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : isGood(project, found.get())
                                .map(isGood -> found.filter(link -> isGood)
                                        .map(link -> new Opened(
                                                link.organization(),
                                                link.maker().user()))));
    }

    private Future<Boolean> isGood(Project project, Stored link) {
        var manager = link.maker().manager();
        if (manager == null) {
            return Future.succeededFuture(isAllowed(project, link.role()));
        }
        return link.hasKey()
                ? Future.succeededFuture(true)
                : projectMembers
                        .role(database.home().reads(), project.id(), new UserId(manager))
                        .map(role -> role.filter(known -> known.includes(Role.DEVELOPER))
                                .isPresent());
    }

    private static boolean isAllowed(Project project, @Nullable String role) {
        return role != null
                && project.organizations().roles().permissionsOf(role).containsAll(NEEDED);
    }

    private static Buffer hash(String token) {
        return Buffer.buffer(Sha256.of(token));
    }

    /** Removes expired links; maintenance calls it regularly. */
    Future<Void> purge(Database at) {
        return SetupLinkStore.EXPIRED.remove(at, clock.instant());
    }
}
