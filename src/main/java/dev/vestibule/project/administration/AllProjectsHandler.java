package dev.vestibule.project.administration;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Page;
import dev.vestibule.json.Text;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.UserCounts;
import dev.vestibule.project.administration.AllProjectsStore.Filter;
import dev.vestibule.project.administration.AllProjectsStore.Item;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;

/** All projects, {@code /v1/dashboard/administration/projects}: one method per operation. */
public final class AllProjectsHandler {
    private static final int MAX_SEARCH = 100;

    private final Database database;
    private final AllProjectsStore projects = new AllProjectsStore();
    private final UserCounts counts;
    private final Adoption adoption;

    AllProjectsHandler(Database database, Clock clock) {
        this.database = database;
        this.counts = new UserCounts(database);
        this.adoption = new Adoption(database, clock);
    }

    private record Asked(Filter filter, Page page) {}

    private record ProjectPage(List<Item> projects, long total) {}

    /** {@code GET /v1/dashboard/administration/projects}: a page of all projects, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var asked = request.query(fields -> new Asked(
                new Filter(
                        fields.optional("search", text -> Text.line(text, MAX_SEARCH)),
                        Boolean.TRUE.equals(fields.optional("isOrphan", Query.flag()))),
                Query.page(fields)));
        var home = database.home();
        var total = projects.count(home.writes(), asked.filter());
        return projects.list(home.writes(), asked.filter(), asked.page())
                .compose(found -> counts.complete(found, Item::place, Item::withUserCount))
                .compose(found -> total.map(count -> Reply.ok(new ProjectPage(found, count))));
    }

    /**
     * {@code POST /v1/dashboard/administration/projects/:projectId/adopt}: makes the caller the owner of a project that
     * has none.
     */
    public Future<Reply> adopt(ApiRequest request) {
        var project = new ProjectId(request.pathId("projectId"));
        return adoption.run(
                        request.trailIn(project), project, request.user().user().id())
                .map(adopted -> Reply.success());
    }
}
