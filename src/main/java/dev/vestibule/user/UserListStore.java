package dev.vestibule.user;

import dev.vestibule.database.Database;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserListStore.UserPage.ListedUser;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists a project's users, newest first, by the time of creation, since an imported id may contain no time. Each
 * statement is written so that only one index can serve it. So the plan does not depend on the planner's estimate of a
 * project's size or of a search term.
 */
public final class UserListStore {
    /** A page of users, how many there are on all pages, and whether there are any after it. */
    record UserPage(List<ListedUser> listed, long total, boolean hasNext) {
        /** A user, and the time that orders it in lists. */
        record ListedUser(ManagedUser user, Instant listedAt) {}

        /** Builds a page from one user more than fits on it, if there is one. */
        static UserPage of(List<ListedUser> found, long total, int limit) {
            var hasNext = found.size() > limit;
            return new UserPage(hasNext ? found.subList(0, limit) : found, total, hasNext);
        }

        List<ManagedUser> users() {
            return listed.stream().map(ListedUser::user).toList();
        }

        /** Where the next page begins; empty after the last user. */
        Optional<UserCursor> end() {
            if (!hasNext) {
                return Optional.empty();
            }
            var last = listed.get(listed.size() - 1);
            return Optional.of(
                    new UserCursor(last.listedAt(), last.user().user().id()));
        }
    }

    /** The condition that continues a list. One statement serves first pages too: they begin before all users. */
    private static String before(String listedAt, String id) {
        return "(coalesce(%s::timestamptz, 'infinity'), coalesce(%s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))"
                .formatted(listedAt, id);
    }

    private static final String COUNT = """
            SELECT coalesce(sum(users), 0)::bigint AS total FROM counts WHERE project_id = $1
            """;

    Future<Long> count(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT, project).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String PAGE = """
            SELECT page.listed_at, users.*
            FROM (
                SELECT created_at AS listed_at, id FROM user_search
                WHERE project_id = $1 AND (created_at, id) < %s
                ORDER BY 1 DESC, 2 DESC LIMIT $2 OFFSET $3) AS page
            CROSS JOIN LATERAL (
                SELECT %s
                FROM users WHERE project_id = $1 AND id = page.id
                OFFSET 0) AS users
            ORDER BY page.listed_at DESC, page.id DESC
            """.formatted(before("$4", "$5"), UserRows.MANAGED_COLUMNS);

    Future<List<ListedUser>> page(SqlClient db, UserListRequest request) {
        return Sql.run(db, PAGE, withPage(request, request.project()))
                .map(rows -> Rows.all(rows, UserListStore::listed));
    }

    /** Values, and then those of the page; its limit is one more than its size, to know whether a page follows. */
    private static @Nullable Object[] withPage(UserListRequest request, @Nullable Object... values) {
        var after = request.after();
        var all = new ArrayList<@Nullable Object>(Arrays.asList(values));
        all.add(request.page().limit() + 1);
        all.add(request.page().offset());
        all.add(after == null ? null : after.listedAt());
        all.add(after == null ? null : after.id());
        return all.toArray();
    }

    private static final String STATISTICS = """
            WITH folded AS MATERIALIZED (SELECT search_fold($2) AS term),
                newest AS MATERIALIZED (
                    SELECT search_text FROM user_search WHERE project_id = $1
                    ORDER BY created_at DESC, id DESC LIMIT 1000)
            SELECT term,
                   (SELECT count(*) FROM newest WHERE strpos(search_text, term) > 0) AS matches,
                   (SELECT coalesce(sum(users), 0)::bigint FROM counts WHERE project_id = $1) AS users,
                   (SELECT coalesce(sum(changes), 0)::bigint FROM counts WHERE project_id = $1) AS changes
            FROM folded
            """;

    /** The term, and the total number of the project's users and changes. */
    record SearchStatistics(SearchTerm term, long users, long changes) {}

    Future<SearchStatistics> statistics(SqlClient db, ProjectId project, String term) {
        return Sql.run(db, STATISTICS, project, term)
                .map(rows -> Rows.single(
                        rows,
                        row -> new SearchStatistics(
                                new SearchTerm(row.getString("term"), row.getLong("matches")),
                                row.getLong("users"),
                                row.getLong("changes"))));
    }

    private static final String SCAN = """
            SELECT page.listed_at, users.*
            FROM (
                SELECT created_at AS listed_at, id FROM user_search
                WHERE project_id = $1 AND (created_at, id) < %s AND strpos(search_text, $2) > 0
                ORDER BY 1 DESC, 2 DESC LIMIT $3 OFFSET $4) AS page
            CROSS JOIN LATERAL (
                SELECT %s
                FROM users WHERE project_id = $1 AND id = page.id
                OFFSET 0) AS users
            ORDER BY page.listed_at DESC, page.id DESC
            """.formatted(before("$5", "$6"), UserRows.MANAGED_COLUMNS);

    /** The users who match a case-folded term, found by a scan from the newest user on. */
    Future<List<ListedUser>> scan(SqlClient db, String term, UserListRequest request) {
        return Sql.run(db, SCAN, withPage(request, request.project(), term))
                .map(rows -> Rows.all(rows, UserListStore::listed));
    }

    private static final String FIND = """
            WITH found AS MATERIALIZED (
                SELECT created_at AS listed_at, id FROM user_search
                WHERE search_grams(project_id, search_text) @> search_probe($1, $2)
                  AND project_id IS NOT DISTINCT FROM $1 AND strpos(search_text, $2) > 0)
            SELECT counted.total, page.listed_at, users.*
            FROM (SELECT count(*) AS total FROM found) AS counted
            LEFT JOIN (
                SELECT * FROM found WHERE (listed_at, id) < %s
                ORDER BY listed_at DESC, id DESC LIMIT $3 OFFSET $4) AS page ON true
            LEFT JOIN LATERAL (
                SELECT %s
                FROM users WHERE project_id = $1 AND id = page.id
                OFFSET 0) AS users ON true
            ORDER BY page.listed_at DESC, page.id DESC
            """.formatted(before("$5", "$6"), UserRows.MANAGED_COLUMNS);

    /** The users who match a case-folded term, found with the trigram index. */
    Future<UserPage> find(SqlClient db, String term, UserListRequest request) {
        return Sql.run(db, FIND, withPage(request, request.project(), term))
                .map(rows -> found(rows, request.page().limit()));
    }

    private static UserPage found(RowSet<Row> rows, int limit) {
        var hasUsers = rows.iterator().next().getUUID("id") != null;
        return UserPage.of(
                hasUsers ? Rows.all(rows, UserListStore::listed) : List.of(),
                Rows.single(rows, row -> row.getLong("total")),
                limit);
    }

    /** Which of the project's users, {@code u}, match the term, folded once, and the filter. */
    private static final String MATCHES = """
            FROM user_search AS listed JOIN users AS u ON u.project_id = $1 AND u.id = listed.id
                WHERE listed.project_id = $1
                  AND ($2::text = '' OR strpos(listed.search_text, (SELECT search_fold($2))) > 0)
                  AND ($3::boolean IS NULL OR u.is_banned = $3)
                  AND ($4::boolean IS NULL OR u.email_verified = $4)
                  AND ($5::boolean IS NULL OR (cardinality(u.second_factors) > 0) = $5)
                  AND ($6::text IS NULL OR EXISTS (
                      SELECT FROM identities WHERE project_id = $1 AND user_id = u.id AND provider = $6))
                  AND ($7::timestamptz IS NULL OR listed.created_at >= $7)
                  AND ($8::timestamptz IS NULL OR listed.created_at < $8)
            """;

    private static final String NEWEST_FOUND = """
            FROM (
                SELECT * FROM found WHERE (listed_at, id) < %s
                ORDER BY listed_at DESC, id DESC LIMIT $9 OFFSET $10) AS page
            CROSS JOIN LATERAL (
                SELECT %s
                FROM users WHERE project_id = $1 AND id = page.id
                OFFSET 0) AS users
            ORDER BY page.listed_at DESC, page.id DESC
            """.formatted(before("$11", "$12"), UserRows.MANAGED_COLUMNS);

    private static final String OLDEST_FOUND = """
            FROM (
                SELECT * FROM found WHERE (listed_at, id) > (
                    coalesce($11::timestamptz, '-infinity'),
                    coalesce($12::uuid, '00000000-0000-0000-0000-000000000000'))
                ORDER BY listed_at, id LIMIT $9 OFFSET $10) AS page
            CROSS JOIN LATERAL (
                SELECT %s
                FROM users WHERE project_id = $1 AND id = page.id
                OFFSET 0) AS users
            ORDER BY page.listed_at, page.id
            """.formatted(UserRows.MANAGED_COLUMNS);

    private static final String WALK = """
            WITH found AS NOT MATERIALIZED (SELECT listed.created_at AS listed_at, listed.id %s)
            SELECT page.listed_at, users.* %s
            """.formatted(MATCHES, NEWEST_FOUND);

    private static final String WALK_OLDEST_FIRST = """
            WITH found AS NOT MATERIALIZED (SELECT listed.created_at AS listed_at, listed.id %s)
            SELECT page.listed_at, users.* %s
            """.formatted(MATCHES, OLDEST_FOUND);

    /**
     * The users who match a term, if it is not empty, and a filter; walks along the list and reads each user until the
     * page is full, so that it is slow if few users match.
     */
    Future<List<ListedUser>> walk(SqlClient db, UserListRequest request) {
        var values = withPage(request, filterParameters(request));
        var found = request.filter().oldestFirst() ? Sql.run(db, WALK_OLDEST_FIRST, values) : Sql.run(db, WALK, values);
        return found.map(rows -> Rows.all(rows, UserListStore::listed));
    }

    private static final String GATHER = """
            WITH found AS MATERIALIZED (SELECT listed.created_at AS listed_at, listed.id %s)
            SELECT page.listed_at, users.* %s
            """.formatted(MATCHES, NEWEST_FOUND);

    private static final String GATHER_OLDEST_FIRST = """
            WITH found AS MATERIALIZED (SELECT listed.created_at AS listed_at, listed.id %s)
            SELECT page.listed_at, users.* %s
            """.formatted(MATCHES, OLDEST_FOUND);

    /** The same users; reads every user of the project at once and sorts those who match. */
    Future<List<ListedUser>> gather(SqlConnection transaction, UserListRequest request) {
        var values = withPage(request, filterParameters(request));
        return Database.planEachUse(transaction)
                .compose(set -> request.filter().oldestFirst()
                        ? Sql.run(transaction, GATHER_OLDEST_FIRST, values)
                        : Sql.run(transaction, GATHER, values))
                .map(rows -> Rows.all(rows, UserListStore::listed));
    }

    private static final String COUNT_FILTERED = "SELECT count(*) AS total " + MATCHES;

    /**
     * How many users match a term and a filter; reads every user of the project, by a plan of its own: the plan for all
     * projects would be that for the largest, which reads the users of all.
     */
    Future<Long> countFiltered(SqlConnection transaction, UserListRequest request) {
        return Database.planEachUse(transaction)
                .compose(set -> Sql.run(transaction, COUNT_FILTERED, filterParameters(request)))
                .map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static @Nullable Object[] filterParameters(UserListRequest request) {
        var filter = request.filter();
        return new @Nullable Object[] {
            request.project(),
            request.term(),
            filter.isBanned(),
            filter.emailVerified(),
            filter.mfaEnabled(),
            filter.provider(),
            filter.createdFrom(),
            filter.createdTo()
        };
    }

    private static final String COUNT_MATCHES = """
            SELECT (SELECT count(*) FROM (
                        SELECT FROM user_search WHERE project_id = $1 AND strpos(search_text, $2) > 0
                        ORDER BY created_at DESC, id DESC LIMIT $3::bigint) AS matches) AS total,
                   array_agg(shard) AS shards, array_agg(changes) AS changes
            FROM counts WHERE project_id = $1
            """;

    /** The number of changes in each shard of a project. */
    record Version(List<Short> shards, List<Long> changesOfShards) {
        static Version of(Row row) {
            return new Version(list(row.getArrayOfShorts("shards")), list(row.getArrayOfLongs("changes")));
        }

        private static <T> List<T> list(T[] values) {
            return values == null ? List.of() : List.of(values);
        }

        long changes() {
            return changesOfShards.stream().mapToLong(Long::longValue).sum();
        }
    }

    /** How many users matched, at a version of the project. */
    record VersionedTotal(long total, Version version) {}

    /** How many users match a case-folded term; reads every user. */
    Future<VersionedTotal> countMatches(SqlClient db, ProjectId project, String term) {
        return Sql.run(db, COUNT_MATCHES, project, term, Long.MAX_VALUE)
                .map(rows -> Rows.single(rows, row -> new VersionedTotal(row.getLong("total"), Version.of(row))));
    }

    private static final String COUNT_ADDED = """
            SELECT coalesce(sum(added.users), 0)::bigint AS users, coalesce(sum(added.matches), 0)::bigint AS matches,
                   array_agg(counts.shard) AS shards, array_agg(counts.changes) AS changes
            FROM counts LEFT JOIN unnest($3::smallint[], $4::bigint[]) AS before (shard, changes)
                ON before.shard = counts.shard
            CROSS JOIN LATERAL (
                SELECT count(*) AS users, count(*) FILTER (WHERE strpos(search_text, $2) > 0) AS matches
                FROM (
                    SELECT search_text FROM user_search
                    WHERE project_id = $1 AND shard = counts.shard AND change > coalesce(before.changes, 0)
                    ORDER BY change LIMIT 5000) AS newest) AS added
            WHERE counts.project_id = $1
            """;

    /** How many users were added, how many of them match, and the version of the project. */
    record Added(long users, long matches, Version version) {}

    /** Counts users added since the version that still exist, at most 5,000 for each shard. */
    Future<Added> countAdded(SqlClient db, ProjectId project, String term, Version since) {
        return Sql.run(
                        db,
                        COUNT_ADDED,
                        project,
                        term,
                        since.shards().toArray(Short[]::new),
                        since.changesOfShards().toArray(Long[]::new))
                .map(rows -> Rows.single(
                        rows, row -> new Added(row.getLong("users"), row.getLong("matches"), Version.of(row))));
    }

    private static ListedUser listed(Row row) {
        return new ListedUser(UserRows.managed(row), Rows.instant(row, "listed_at"));
    }
}
