package dev.vestibule.user.organization.directory;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ScannableKey;
import dev.vestibule.project.ScannableKey.Kind;
import dev.vestibule.user.organization.OrganizationAccess;
import dev.vestibule.user.organization.OrganizationCaller;
import dev.vestibule.user.organization.OrganizationId;
import dev.vestibule.user.organization.Organizations;
import dev.vestibule.user.organization.directory.Directory.Token;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Creates, changes and deletes directories, and replaces their tokens, under the lock of the organization. */
public final class Directories {
    private static final int MAX_DIRECTORIES = 3;

    /** The one in use, and its successor. */
    private static final int MAX_TOKENS = 2;

    private final Database database;
    private final Organizations organizations;
    private final GroupRoleChange groupRoles;
    private final DirectoryStore store = new DirectoryStore();
    private final Clock clock;

    /** Gives the members of groups the roles that a directory's new mapping says, in the transaction of the change. */
    @FunctionalInterface
    public interface GroupRoleChange {
        Future<Void> apply(
                SqlConnection transaction, OrganizationCaller caller, OrganizationAccess access, Directory changed);
    }

    public Directories(Database database, Organizations organizations, GroupRoleChange groupRoles, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.groupRoles = groupRoles;
        this.clock = clock;
    }

    Future<List<Directory>> list(OrganizationCaller caller, OrganizationId id) {
        return organizations
                .find(caller, id)
                .compose(access -> store.list(
                        database.reads(),
                        access.require(OrganizationRoles.MANAGE_DIRECTORIES).organization()))
                .compose(found ->
                        store.complete(database.reads(), caller.project().id(), found));
    }

    /** A directory with the text of its new token, which is shown this once. */
    record Created(Directory directory, ScannableKey token) {}

    Future<Created> create(OrganizationCaller caller, OrganizationId id, DirectoryFields.New given) {
        var now = clock.instant();
        var directory = Directory.begun(UuidCreator.getTimeOrderedEpoch(), id, given.name(), given.groupRoles(), now);
        var token = newToken(caller);
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .map(access -> requireCanGive(access, given.groupRoles()))
                .compose(access -> store.insert(transaction, access.organization(), directory, MAX_DIRECTORIES))
                .map(created -> created.orElseThrow(() -> tooMany(MAX_DIRECTORIES)))
                .compose(created -> insert(transaction, created, token)
                        .compose(added -> record(
                                        transaction,
                                        caller,
                                        Logged.DIRECTORY_CREATED,
                                        created,
                                        Map.of("name", created.name(), "groupRoles", created.groupRoles()))
                                .map(new Created(created.with(List.of(added), 0, 0), token)))));
    }

    private static ScannableKey newToken(OrganizationCaller caller) {
        return ScannableKey.generate(
                Kind.DIRECTORY, caller.project().environment(), caller.project().id());
    }

    private Future<Token> insert(SqlConnection transaction, Directory directory, ScannableKey token) {
        return store.addToken(
                        transaction,
                        directory.id(),
                        UuidCreator.getTimeOrderedEpoch(),
                        token,
                        clock.instant(),
                        MAX_TOKENS)
                .map(added -> added.orElseThrow(() -> tooManyTokens(MAX_TOKENS)));
    }

    /** Otherwise a manager of directories could give themselves any role. */
    private static OrganizationAccess requireCanGive(OrganizationAccess access, Map<String, String> roles) {
        roles.values().forEach(access::requireCanGive);
        return access;
    }

    Future<Directory> update(
            OrganizationCaller caller, OrganizationId id, UUID directory, DirectoryFields.Changes changes) {
        var project = caller.project().id();
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .compose(access -> find(transaction, access, directory).compose(before -> {
                    var after = changed(before, changes);
                    if (!after.groupRoles().equals(before.groupRoles())) {
                        requireCanGive(access, before.groupRoles());
                        requireCanGive(access, after.groupRoles());
                    }
                    return store.update(transaction, access.organization(), after, clock.instant())
                            .map(updated -> updated.orElseThrow(Directories::notFound))
                            .compose(updated -> record(
                                    transaction,
                                    caller,
                                    Logged.DIRECTORY_UPDATED,
                                    updated,
                                    Map.of(
                                            "name", updated.name(),
                                            "enabled", updated.enabled(),
                                            "groupRoles", updated.groupRoles())))
                            .compose(updated -> updated.groupRoles().equals(before.groupRoles())
                                    ? Future.succeededFuture(updated)
                                    : groupRoles
                                            .apply(transaction, caller, access, updated)
                                            .map(updated));
                }))
                .compose(updated -> store.complete(transaction, project, List.of(updated)))
                .map(updated -> updated.get(0)));
    }

    private static Directory changed(Directory before, DirectoryFields.Changes changes) {
        return new Directory(
                before.id(),
                before.organizationId(),
                Objects.requireNonNullElse(changes.name().value(), before.name()),
                Objects.requireNonNullElse(changes.enabled().value(), before.enabled()),
                Objects.requireNonNullElse(changes.groupRoles().value(), before.groupRoles()),
                List.of(),
                0,
                0,
                before.createdAt(),
                before.updatedAt());
    }

    /** Deletes a directory, but not what it has provisioned: members remain members. */
    Future<Void> delete(OrganizationCaller caller, OrganizationId id, UUID directory) {
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .compose(access -> store.delete(transaction, access.organization(), directory))
                .map(deleted -> deleted.orElseThrow(Directories::notFound))
                .compose(deleted ->
                        record(transaction, caller, Logged.DIRECTORY_DELETED, deleted, Map.of("name", deleted.name())))
                .mapEmpty());
    }

    /** A token and its text, which is shown this once. */
    record NewToken(Token token, ScannableKey text) {}

    /**
     * The token in use stays valid until it is revoked. Anyone who has a token decides who is in the groups, so the
     * caller must be able to give the roles of the groups.
     */
    Future<NewToken> addToken(OrganizationCaller caller, OrganizationId id, UUID directory) {
        var token = newToken(caller);
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .compose(access -> find(transaction, access, directory).map(found -> {
                    requireCanGive(access, found.groupRoles());
                    return found;
                }))
                .compose(found -> insert(transaction, found, token)
                        .compose(added -> record(
                                        transaction,
                                        caller,
                                        Logged.DIRECTORY_TOKEN_CREATED,
                                        found,
                                        Map.of("tokenId", added.id()))
                                .map(new NewToken(added, token)))));
    }

    /** It is refused at once. */
    Future<Void> revokeToken(OrganizationCaller caller, OrganizationId id, UUID directory, UUID token) {
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .compose(access -> find(transaction, access, directory))
                .compose(found -> store.removeToken(
                                transaction, caller.project().id(), directory, token)
                        .compose(removed -> removed
                                ? record(
                                        transaction,
                                        caller,
                                        Logged.DIRECTORY_TOKEN_REVOKED,
                                        found,
                                        Map.of("tokenId", token))
                                : Future.failedFuture(noSuchToken())))
                .mapEmpty());
    }

    /**
     * The directory of a token as it is now, or the refusal of a request with the token. The transaction holds the
     * organization's lock.
     */
    public Future<Directory> ofToken(SqlConnection transaction, ProjectId project, UUID token) {
        return store.findByToken(transaction, project, token)
                .map(found -> found.orElseThrow(DirectoryTokens::refused).requireEnabled());
    }

    private Future<OrganizationAccess> lock(SqlConnection transaction, OrganizationCaller caller, OrganizationId id) {
        return organizations
                .lock(transaction, caller, id)
                .map(access -> access.require(OrganizationRoles.MANAGE_DIRECTORIES));
    }

    private Future<Directory> find(SqlConnection transaction, OrganizationAccess access, UUID directory) {
        return store.find(transaction, access.organization(), directory)
                .map(found -> found.orElseThrow(Directories::notFound));
    }

    private static Future<Directory> record(
            SqlConnection transaction,
            OrganizationCaller caller,
            Logged fact,
            Directory directory,
            Map<String, Object> details) {
        var all = new LinkedHashMap<String, Object>();
        all.put("directoryId", directory.id());
        all.putAll(details);
        return caller.trail()
                .record(
                        transaction,
                        fact,
                        Target.organization(directory.organizationId().value()),
                        all)
                .map(directory);
    }

    private static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The organization has no such directory.");
    }

    private static ApiException noSuchToken() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The directory has no such token.");
    }

    private static ApiException tooMany(int maximum) {
        return ApiException.of(
                ErrorCode.LIMIT_REACHED, "An organization can have at most " + maximum + " directories.");
    }

    private static ApiException tooManyTokens(int maximum) {
        return ApiException.of(
                ErrorCode.LIMIT_REACHED,
                "The directory already has " + maximum + " tokens. Revoke the one that it no longer uses first.");
    }
}
