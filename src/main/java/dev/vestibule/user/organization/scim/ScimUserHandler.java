package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Timestamps;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationCaller;
import dev.vestibule.user.organization.directory.DirectoryHandler;
import dev.vestibule.user.organization.scim.ScimRequests.Listed;
import dev.vestibule.user.organization.scim.ScimUserStore.StoredUser;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;

/** Users of a directory, {@code /v1/scim/:projectId/:directoryId/Users}: one method for each operation. */
public final class ScimUserHandler {
    private static final int MAX_OPERATIONS = 100;
    private static final int MAX_PAGE_CHARACTERS = 524_288;

    private final Database database;
    private final ScimUsers users;
    private final ScimSearches searches;
    private final URI publicUrl;
    private final ScimUserStore store = new ScimUserStore();

    ScimUserHandler(Database database, ScimUsers users, ScimSearches searches, URI publicUrl) {
        this.database = database;
        this.users = users;
        this.searches = searches;
        this.publicUrl = publicUrl;
    }

    static Provisioner provisioner(ApiRequest request) {
        return new Provisioner(
                new OrganizationCaller(request.project(), null, request.trail()),
                request.directory().organizationId(),
                request.directory().id(),
                request.directoryToken());
    }

    private static UserId id(ApiRequest request) {
        return new UserId(ScimRequests.id(request.pathParam("userId"), true));
    }

    /** {@code POST …}. */
    public Future<Reply> create(ApiRequest request) {
        var by = provisioner(request);
        var shown = ScimRequests.attributes(request.queryFields());
        return users.create(by, ScimUser.read(ScimJson.caseless(request.body())))
                .map(created -> {
                    var resource = resource(by, created);
                    var location = resource.path("meta").path("location").asText();
                    return ScimReplies.of(201, shown.of(resource)).withHeader("Location", location);
                });
    }

    private ObjectNode resource(Provisioner by, StoredUser user) {
        var resource = user.resource();
        var schemas = ScimJson.array().add(ScimJson.CORE_USER);
        if (resource.has(ScimJson.ENTERPRISE)) {
            schemas.add(ScimJson.ENTERPRISE);
        }
        resource.set("schemas", schemas);
        resource.put("id", user.id().toString());
        resource.set(
                "meta",
                ScimJson.object()
                        .put("resourceType", "User")
                        .put("created", Timestamps.format(user.createdAt()))
                        .put("lastModified", Timestamps.format(user.updatedAt()))
                        .put(
                                "location",
                                DirectoryHandler.baseUrl(publicUrl, by.project(), by.id()) + "/Users/" + user.id()));
        return resource;
    }

    /** {@code GET …}: those for whom a filter holds, in pages. */
    public Future<Reply> list(ApiRequest request) {
        var by = provisioner(request);
        var asked = Listed.read(request.queryFields(), ScimFilter.OF_USERS);
        return searches.run(
                        by,
                        asked.filter().isQuick(ScimUserStore.KEYS, ScimUserStore.UNIQUE),
                        db -> store.list(db, by, asked.filter(), asked.rows()))
                .compose(found -> total(by, asked, found.size())
                        .map(total -> ScimReplies.of(
                                200,
                                asked.response(
                                        total,
                                        page(found).stream()
                                                .map(one -> asked.attributes().of(resource(by, one)))
                                                .toList()))));
    }

    /**
     * As many as one response has room for (RFC 7644, 3.4.2.4), and one at least: the event loop has to parse them all.
     */
    private static List<StoredUser> page(List<StoredUser> found) {
        var characters = 0;
        for (var i = 0; i < found.size(); i++) {
            characters += found.get(i).attributes().length();
            if (i > 0 && characters > MAX_PAGE_CHARACTERS) {
                return found.subList(0, i);
            }
        }
        return found;
    }

    private Future<Long> total(Provisioner by, Listed asked, int rows) {
        if (asked.isWhole(rows, ScimUserStore.UNIQUE)) {
            return Future.succeededFuture((long) rows);
        }
        return asked.filter().equals(ScimFilter.ALL)
                ? store.countAll(database.writes(), by)
                : searches.run(by, false, db -> store.count(db, by, asked.filter()));
    }

    /** {@code GET …/:userId}. */
    public Future<Reply> get(ApiRequest request) {
        var by = provisioner(request);
        var shown = ScimRequests.attributes(request.queryFields());
        return store.find(database.reads(), by, id(request))
                .map(found -> ScimReplies.of(200, shown.of(resource(by, found.orElseThrow(ScimErrors::noSuchUser)))));
    }

    /** {@code PUT …/:userId}: the whole user. */
    public Future<Reply> replace(ApiRequest request) {
        var given = ScimUser.read(ScimJson.caseless(request.body()));
        return changed(request, users.change(provisioner(request), id(request), before -> given));
    }

    /** {@code PATCH …/:userId}: what the operations say. */
    public Future<Reply> patch(ApiRequest request) {
        var operations = ScimPatch.read(request.body(), MAX_OPERATIONS);
        return changed(request, users.change(provisioner(request), id(request), before -> {
            var resource = before.resource();
            resource.remove("active"); // the membership, which the directory has said nothing of
            ScimPatch.apply(operations, resource);
            return ScimUser.read(resource);
        }));
    }

    private Future<Reply> changed(ApiRequest request, Future<StoredUser> changed) {
        var by = provisioner(request);
        var shown = ScimRequests.attributes(request.queryFields());
        return changed.map(user -> ScimReplies.of(200, shown.of(resource(by, user))));
    }

    /** {@code DELETE …/:userId}: the membership ends, the account stays. */
    public Future<Reply> delete(ApiRequest request) {
        return users.delete(provisioner(request), id(request)).map(deleted -> ScimReplies.noContent());
    }
}
