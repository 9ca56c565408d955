package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Timestamps;
import dev.vestibule.user.organization.directory.DirectoryHandler;
import dev.vestibule.user.organization.scim.ScimGroup.Given;
import dev.vestibule.user.organization.scim.ScimGroupStore.Member;
import dev.vestibule.user.organization.scim.ScimRequests.Listed;
import io.vertx.core.Future;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Groups of a directory, {@code /v1/scim/:projectId/:directoryId/Groups}: one method for each operation. */
public final class ScimGroupHandler {
    private static final int MAX_OPERATIONS = 1000;

    private final Database database;
    private final ScimGroups groups;
    private final ScimSearches searches;
    private final URI publicUrl;
    private final ScimGroupStore store = new ScimGroupStore();

    ScimGroupHandler(Database database, ScimGroups groups, ScimSearches searches, URI publicUrl) {
        this.database = database;
        this.groups = groups;
        this.searches = searches;
        this.publicUrl = publicUrl;
    }

    private static UUID id(ApiRequest request) {
        return ScimRequests.id(request.pathParam("groupId"), false);
    }

    /** {@code POST …}. */
    public Future<Reply> create(ApiRequest request) {
        var by = ScimUserHandler.provisioner(request);
        var shown = ScimRequests.attributes(request.queryFields());
        return groups.create(by, Given.read(request.body()))
                .compose(created -> resources(by, List.of(created), shown))
                .map(created -> ScimReplies.of(201, created.get(0))
                        .withHeader(
                                "Location",
                                created.get(0).path("meta").path("location").asText()));
    }

    private Future<List<ObjectNode>> resources(Provisioner by, List<ScimGroup> found, ScimAttributes shown) {
        var members = shown.has("members") && !found.isEmpty()
                ? store.members(database.writes(), by, found, ScimGroups.MAX_MEMBERS + 1)
                : Future.succeededFuture(List.<Member>of());
        return members.map(all -> {
            if (all.size() > ScimGroups.MAX_MEMBERS) {
                throw ScimErrors.tooMany(
                        "These groups have too many members for one response. Ask for fewer groups, or leave members out.");
            }
            var ofGroup = all.stream().collect(Collectors.groupingBy(Member::group));
            return found.stream()
                    .map(group -> shown.of(resource(by, group, ofGroup.getOrDefault(group.id(), List.of()))))
                    .toList();
        });
    }

    private ObjectNode resource(Provisioner by, ScimGroup group, List<Member> members) {
        var base = DirectoryHandler.baseUrl(publicUrl, by.project(), by.id());
        var resource = ScimJson.object();
        resource.set("schemas", ScimJson.array().add(ScimJson.CORE_GROUP));
        resource.put("id", group.id().toString());
        if (group.externalId() != null) {
            resource.put("externalId", group.externalId());
        }
        resource.put("displayName", group.name());
        if (!members.isEmpty()) {
            var list = resource.putArray("members");
            members.forEach(one -> list.add(ScimJson.object()
                    .put("value", one.user().toString())
                    .put("$ref", base + "/Users/" + one.user())
                    .put("type", "User")));
        }
        resource.set(
                "meta",
                ScimJson.object()
                        .put("resourceType", "Group")
                        .put("created", Timestamps.format(group.createdAt()))
                        .put("lastModified", Timestamps.format(group.updatedAt()))
                        .put("location", base + "/Groups/" + group.id()));
        return resource;
    }

    /** {@code GET …}: those for whom a filter holds, in pages. */
    public Future<Reply> list(ApiRequest request) {
        var by = ScimUserHandler.provisioner(request);
        var asked = Listed.read(request.queryFields(), ScimFilter.OF_GROUPS);
        return searches.run(
                        by,
                        asked.filter().isQuick(ScimGroupStore.KEYS, ScimGroupStore.UNIQUE),
                        db -> store.list(db, by, asked.filter(), asked.rows()))
                .compose(found -> (asked.isWhole(found.size(), ScimGroupStore.UNIQUE)
                                ? Future.succeededFuture((long) found.size())
                                : searches.run(
                                        by,
                                        asked.filter().equals(ScimFilter.ALL),
                                        db -> store.count(db, by, asked.filter())))
                        .compose(total -> resources(by, found, asked.attributes())
                                .map(shown -> ScimReplies.of(200, asked.response(total, shown)))));
    }

    /** {@code GET …/:groupId}. */
    public Future<Reply> get(ApiRequest request) {
        var by = ScimUserHandler.provisioner(request);
        return store.find(database.reads(), by, id(request))
                .map(found -> found.orElseThrow(ScimErrors::noSuchGroup))
                .compose(found -> shown(request, by, found));
    }

    private Future<Reply> shown(ApiRequest request, Provisioner by, ScimGroup group) {
        return resources(by, List.of(group), ScimRequests.attributes(request.queryFields()))
                .map(shown -> ScimReplies.of(200, shown.get(0)));
    }

    /** {@code PUT …/:groupId}: the whole group. */
    public Future<Reply> replace(ApiRequest request) {
        var by = ScimUserHandler.provisioner(request);
        return groups.replace(by, id(request), Given.read(request.body()))
                .compose(changed -> shown(request, by, changed));
    }

    /** {@code PATCH …/:groupId}: the names, and members that are added, removed or replaced. */
    public Future<Reply> patch(ApiRequest request) {
        var by = ScimUserHandler.provisioner(request);
        var steps = ScimGroup.steps(ScimPatch.read(request.body(), MAX_OPERATIONS));
        return groups.change(by, id(request), steps).compose(changed -> shown(request, by, changed));
    }

    /** {@code DELETE …/:groupId}: its members stay users. */
    public Future<Reply> delete(ApiRequest request) {
        return groups.delete(ScimUserHandler.provisioner(request), id(request)).map(deleted -> ScimReplies.noContent());
    }
}
