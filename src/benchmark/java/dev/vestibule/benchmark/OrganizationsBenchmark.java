package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project of 100,000 organizations, of which one has 100,000 members, and a user of 1,000: lists, searches, and what
 * a sign in, a directory of 50,000 users and a check of a key look up.
 */
@TakesLong("It seeds 100,000 organizations, and measures each path.")
class OrganizationsBenchmark {
    private static final int ORGANIZATIONS = Integer.getInteger("organizations.count", 100_000);
    private static final int USERS = ORGANIZATIONS;
    private static final int OF_DIRECTORY = ORGANIZATIONS / 2;
    private static final int OF_ONE_USER = ORGANIZATIONS / 100;
    private static final int PAGE = 200;

    private static final String NUMBER_USERS = """
            CREATE TABLE numbered AS
            SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE project_id = ?::uuid LIMIT ?
            """;

    private static final String INSERT_ORGANIZATIONS = """
            INSERT INTO organizations (project_id, id, name, slug, max_members, member_count, created_by, search_text,
                                       created_at, updated_at)
            SELECT ?::uuid, overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, name, slug, 5000, 3,
                   gen_random_uuid(), search_text(slug, name), now() - n * interval '1 minute', now()
            FROM generate_series(1, ?) AS n
            CROSS JOIN LATERAL (SELECT 'Company ' || n || ' of Friends' AS name, 'company-' || n AS slug) AS named
            """;

    private static final String INSERT_MEMBERS = """
            INSERT INTO organization_members (project_id, organization_id, user_id, role, created_at)
            SELECT project_id, organizations.id, numbered.id, CASE k WHEN 0 THEN 'owner' ELSE 'member' END, created_at
            FROM (SELECT *, row_number() OVER () AS n FROM organizations WHERE project_id = ?::uuid
                  AND slug LIKE 'company-%') AS organizations
            CROSS JOIN generate_series(0, 2) AS k
            CROSS JOIN (SELECT count(*) AS users FROM numbered) AS counted
            JOIN numbered ON numbered.n = (organizations.n + k * users / 3) % users + 1
            """;

    private static final String FILL_GIANT = """
            WITH added AS (
                INSERT INTO organization_members (project_id, organization_id, user_id, role, created_at)
                SELECT ?::uuid, ?::uuid, id, 'member', now() + n * interval '1 second' FROM numbered)
            UPDATE organizations SET member_count = member_count + (SELECT count(*) FROM numbered)
            WHERE project_id = ?::uuid AND id = ?::uuid
            """;

    private static final String JOIN_MANY = """
            INSERT INTO organization_members (project_id, organization_id, user_id, role, created_at)
            SELECT project_id, id, ?::uuid, 'member', now() - random() * interval '1 year' FROM organizations
            WHERE project_id = ?::uuid AND slug LIKE 'company-%' ORDER BY created_at LIMIT ?
            """;

    private static final String INVITE = """
            INSERT INTO organization_invitations (project_id, id, organization_id, email, role, status, invited_by,
                                                  mail_id, token_hash, created_at, expires_at)
            SELECT organizations.project_id, gen_random_uuid(), organizations.id, 'guest' || k || '@example.com', 'member',
                   'pending', organizations.id, gen_random_uuid(), uuid_send(gen_random_uuid()), now(), now() + interval '7 days'
            FROM organizations
            CROSS JOIN LATERAL generate_series(1, CASE slug WHEN 'giant' THEN 500 ELSE 1 END) AS k
            WHERE organizations.project_id = ?::uuid
            """;

    private static final String PROVE_DOMAINS = """
            INSERT INTO organization_domains (project_id, id, organization_id, domain, proof, policy, verified_at, created_at)
            SELECT project_id, gen_random_uuid(), id, slug || '.example.com', '',
                   CASE WHEN hashtext(slug) % 10 = 0 THEN 'sso_required' ELSE 'none' END, now(), now()
            FROM organizations WHERE project_id = ?::uuid
            """;

    private static final String CONNECT = """
            INSERT INTO identity_providers (project_id, provider, organization_id, name, issuer, client_id,
                                            sealed_client_secret, enabled, oauth_flow, created_at, updated_at)
            SELECT organizations.project_id, 'org-' || replace(organizations.id::text, '-', ''), organizations.id, 'Entra',
                   issuer, client_id, sealed_client_secret, true, oauth_flow, now(), now()
            FROM organizations JOIN identity_providers USING (project_id)
            WHERE organizations.project_id = ?::uuid AND slug LIKE 'company-%'
            """;

    private static final String MAKE_DIRECTORIES = """
            INSERT INTO directories (project_id, id, organization_id, name, enabled, group_roles, created_at, updated_at)
            SELECT project_id, gen_random_uuid(), id, 'Entra', true, '{}', now(), now()
            FROM organizations WHERE project_id = ?::uuid AND slug LIKE 'company-%'
            """;

    private static final String PROVISION = """
            INSERT INTO directory_users (project_id, directory_id, user_id, user_name, user_name_key, external_id, texts,
                                         emails, attributes, email, is_made, created_at, updated_at)
            SELECT users.project_id, ?::uuid, users.id, email, email, 'external-' || n,
                   jsonb_build_object('displayName', lower(display_name), 'title', 'engineer ' || n,
                                      'name.familyName', 'tester'),
                   ARRAY[email],
                   jsonb_build_object('displayName', display_name, 'title', 'Engineer ' || n, 'name',
                                      jsonb_build_object('familyName', 'Tester'), 'emails',
                                      jsonb_build_array(jsonb_build_object('value', email, 'type', 'work'))),
                   email, true, now(), now()
            FROM numbered JOIN users USING (id) WHERE users.project_id = ?::uuid AND n <= ?
            """;

    private static final String GIVE_KEYS = """
            INSERT INTO user_keys (project_id, id, user_id, key_hash, ending, name, scopes, created_at)
            SELECT ?::uuid, gen_random_uuid(), id, uuid_send(gen_random_uuid()), 'abcd', 'Job', '{}', now() FROM numbered
            """;

    private final Report report = new Report("organizations");
    private final Path folder;

    OrganizationsBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** The organization with all users, its directory's token, and a user who owns it and is in many others. */
    private record Giant(TestProject project, Response owner, String id, String directory, String token) {
        static Giant create(TestProject project) {
            var owner = project.signUp();
            var giant = project.api()
                    .post("/v1/auth/organizations")
                    .bearer(owner.accessToken())
                    .json(Map.of("name", "Giant", "slug", "giant"))
                    .expect(201)
                    .text("id");
            var path = "/v1/dashboard/organizations/" + giant;
            project.manage("PATCH", path).json(Map.of("maxMembers", 1_000_000)).expect(200);
            project.manage("POST", path + "/connections")
                    .json(Map.of(
                            "name",
                            "Okta",
                            "issuer",
                            "https://okta.example.com",
                            "clientId",
                            "id",
                            "clientSecret",
                            "secret"))
                    .expect(201);
            var directory = project.manage("POST", path + "/directories")
                    .json(Map.of("name", "Okta"))
                    .expect(201);
            return new Giant(project, owner, giant, directory.text("id"), directory.text("token"));
        }

        void fill(Sql sql) {
            sql.update(NUMBER_USERS, project.id(), USERS);
            sql.update(INSERT_ORGANIZATIONS, project.id(), ORGANIZATIONS);
            sql.update(INSERT_MEMBERS, project.id());
            sql.update(FILL_GIANT, project.id(), id, project.id(), id);
            sql.update(JOIN_MANY, owner.text("user/id"), project.id(), OF_ONE_USER);
            sql.update(INVITE, project.id());
            sql.update(PROVE_DOMAINS, project.id());
            sql.update(CONNECT, project.id());
            sql.update(MAKE_DIRECTORIES, project.id());
            sql.update(PROVISION, directory, project.id(), OF_DIRECTORY);
            sql.update(GIVE_KEYS, project.id());
            sql.update("DROP TABLE numbered");
        }

        Call managed(String below) {
            return project.manage("GET", "/v1/dashboard/organizations" + below);
        }

        Call asOwner(String method, String path) {
            return project.api().call(method, path).bearer(owner.accessToken());
        }

        Call scim(String query) {
            return project.api()
                    .get("/v1/scim/" + project.id() + "/" + directory + "/Users?" + query)
                    .bearer(token);
        }
    }

    @Test
    void figures() throws SQLException {
        try (var server = MeasuredServer.start(MeasuredServer.cheap(folder).java("-Xmx256m"))) {
            var project = server.firstProject();
            try (var seeding = Seeding.of(server.database(), Instant.now())) {
                seeding.users(UUID.fromString(project.id()), USERS);
                var giant = Giant.create(project);
                giant.fill(server.database().sql());
                seeding.vacuum();
                report.line("%-44s %28s", "", "first, median, p99 in ms");
                organizations(giant);
                members(giant);
                signIn(giant);
                directory(giant, server.database().sql());
                key(giant);
            }
            sync(server, project);
        }
        report.write();
    }

    private void organizations(Giant giant) {
        times("organizations", giant.managed(""));
        times("organizations, far behind", giant.managed("?offset=" + (ORGANIZATIONS - OF_ONE_USER)));
        times("search, one", giant.managed("?search=" + encoded("company " + ORGANIZATIONS / 2 + " ")));
        times("search, the oldest", giant.managed("?search=company-" + ORGANIZATIONS));
        times("search, all", giant.managed("?search=friends"));
        times("search, one letter", giant.managed("?search=7"));
        times("search, nothing", giant.managed("?search=nobody"));
        times("organization", giant.managed("/" + giant.id()));
        times("invitations", giant.managed("/" + giant.id() + "/invitations"));
        times("domains", giant.managed("/" + giant.id() + "/domains"));
        times("connections", giant.managed("/" + giant.id() + "/connections"));
        times("directories", giant.managed("/" + giant.id() + "/directories"));
    }

    private void members(Giant giant) {
        var members = "/" + giant.id() + "/members";
        times("members", giant.managed(members));
        times("members, far behind", giant.managed(members + "?offset=" + (USERS - OF_ONE_USER)));
        times("organizations of a user", giant.asOwner("GET", "/v1/auth/organizations"));
        times(
                "organizations of a user, the last page",
                giant.asOwner("GET", "/v1/auth/organizations?page=50&limit=20"));
        times(
                "organizations of a user, for management",
                giant.project()
                        .manage("GET", "/v1/dashboard/users/" + giant.owner().text("user/id") + "/organizations"));
        times(
                "token for an organization",
                giant.asOwner("POST", "/v1/auth/token/organization").json(Map.of("organizationId", giant.id())));
    }

    private void signIn(Giant giant) {
        times("connection of an email", connection(giant, "ada@company-" + ORGANIZATIONS / 2 + ".example.com"));
        times("connection of no organization's email", connection(giant, "ada@example.org"));
    }

    private static Call connection(Giant giant, String email) {
        return giant.project().post("/v1/auth/oauth/connection").json(Map.of("email", email));
    }

    private void directory(Giant giant, Sql sql) {
        var name = sql.texts(
                        "SELECT user_name FROM directory_users WHERE external_id = ?", "external-" + OF_DIRECTORY / 2)
                .get(0);
        times("SCIM, 100 users", giant.scim("count=100"));
        times("SCIM, the last 100 users", giant.scim("count=100&startIndex=" + (OF_DIRECTORY - 99)));
        times("SCIM, by userName", giant.scim(filter("userName eq \"" + name + "\"")));
        times("SCIM, by externalId", giant.scim(filter("externalId eq \"external-" + OF_DIRECTORY / 2 + "\"")));
        times("SCIM, by a userName of nobody", giant.scim(filter("userName eq \"nobody\"")));
        times("SCIM, by title", giant.scim(filter("title eq \"engineer " + OF_DIRECTORY / 2 + "\"")));
        times("SCIM, changed since", giant.scim(filter("meta.lastModified gt \"2030-01-01T00:00:00Z\"")));
    }

    private static String filter(String text) {
        return "filter=" + encoded(text);
    }

    private void key(Giant giant) {
        var key = giant.asOwner("POST", "/v1/auth/me/api-keys")
                .json(Map.of("name", "Job"))
                .expect(201)
                .text("key");
        times("keys of a user", giant.asOwner("GET", "/v1/auth/me/api-keys"));
        times("me", giant.asOwner("GET", "/v1/auth/me"));
        times("key", giant.project().manage("POST", "/v1/backend/keys/verify").json(Map.of("key", key)));
    }

    /** All users of a new directory, as an identity provider sends them first, and again page by page. */
    private void sync(MeasuredServer server, TestProject project) {
        var organization = project.manage("POST", "/v1/dashboard/organizations")
                .json(Map.of("name", "Synced", "createdBy", project.signUp().text("user/id"), "maxMembers", 1_000_000))
                .expect(201)
                .text("id");
        var directory = project.manage("POST", "/v1/dashboard/organizations/" + organization + "/directories")
                .json(Map.of("name", "Entra"))
                .expect(201);
        var users = "/v1/scim/" + project.id() + "/" + directory.text("id") + "/Users";
        var token = directory.text("token");
        var before = server.process().residentMib();
        var start = System.nanoTime();
        IntStream.range(0, OF_DIRECTORY)
                .parallel()
                .forEach(n -> project.api()
                        .post(users)
                        .bearer(token)
                        .json(Map.of(
                                "userName",
                                "ada" + n + "@synced.example.com",
                                "externalId",
                                "external-" + n,
                                "name",
                                Map.of("givenName", "Ada", "familyName", "Number " + n),
                                "active",
                                true))
                        .expect(201));
        report.line("SCIM, %,d new users: %.0f a second", OF_DIRECTORY, OF_DIRECTORY / seconds(start));
        var middle = System.nanoTime();
        for (int first = 1; first <= OF_DIRECTORY; first += PAGE) {
            project.api()
                    .get(users + "?count=" + PAGE + "&startIndex=" + first)
                    .bearer(token)
                    .expect(200);
        }
        report.line("SCIM, all of them in pages of %d: %.1f s", PAGE, seconds(middle));
        report.line(
                "resident: %d MiB before, %d MiB at its peak, %d MiB after",
                before, server.process().highestResidentMib(), server.process().residentMib());
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void times(String what, Call call) {
        var times = Times.of(call);
        report.add(what, times);
        report.line("%-44s %s%s", what, times.inWords(), times.bar());
    }
}
