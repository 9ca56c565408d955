package dev.vestibule.benchmark;

import de.mkammerer.argon2.Argon2Factory;
import de.mkammerer.argon2.Argon2Factory.Argon2Types;
import dev.vestibule.fixture.TestProject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import org.postgresql.PGConnection;

/** Fills the embedded database of a running server with COPY, as years of sign ups would have done. */
final class Seeding implements AutoCloseable {
    static final int SESSIONS_OF_A_USER = 3;

    private static final List<String> GIVEN = List.of(
            "James",
            "Mary",
            "Robert",
            "Patricia",
            "Michael",
            "Linda",
            "David",
            "Elizabeth",
            "William",
            "Susan",
            "Joseph",
            "Jessica",
            "Thomas",
            "Sarah",
            "Daniel",
            "Nancy",
            "Matthew",
            "Lisa",
            "Anthony",
            "Sandra",
            "Amélie",
            "François",
            "Søren",
            "Łukasz",
            "Olga",
            "Dmitri",
            "Carlos",
            "María",
            "João",
            "Priya",
            "Arjun",
            "Fatima",
            "Kwame",
            "Ingrid",
            "Hiroshi",
            "Aisha",
            "Mohammed",
            "Giulia",
            "Jürgen",
            "Chloé");
    private static final List<String> FAMILY = List.of(
            "Smith",
            "Johnson",
            "Williams",
            "Brown",
            "Jones",
            "Garcia",
            "Miller",
            "Davis",
            "Rodriguez",
            "Martinez",
            "Hernandez",
            "Lopez",
            "Wilson",
            "Anderson",
            "Taylor",
            "Moore",
            "Jackson",
            "Martin",
            "Lee",
            "Perez",
            "Thompson",
            "White",
            "Harris",
            "Clark",
            "Lewis",
            "Robinson",
            "Walker",
            "Young",
            "Allen",
            "King",
            "Wright",
            "Scott",
            "Torres",
            "Nguyen",
            "Hill",
            "Müller",
            "Rossi",
            "Ivanova",
            "Tanaka",
            "Singh");
    private static final List<String> KOREAN_FAMILY =
            List.of("김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오", "서", "신", "권", "황");
    private static final List<String> KOREAN_GIVEN = List.of(
            "민준", "서연", "도윤", "지우", "예준", "서현", "시우", "하은", "주원", "민서", "지호", "수아", "지유", "건우", "채원", "현우", "지민", "우진",
            "다은", "은우");
    private static final List<String> DOMAINS =
            List.of("gmail.com", "gmail.com", "gmail.com", "outlook.com", "naver.com", "yahoo.co.jp");

    private static final String COPY_USERS = """
            COPY users (project_id, id, email, display_name, avatar_url, public_metadata, sign_in_count,
                        last_sign_in_at, password_hash, created_at, updated_at) FROM STDIN
            """;
    private static final String COPY_SESSIONS = """
            COPY sessions (project_id, id, user_id, user_agent, ip_address, country, rotated_at, created_at,
                           last_active_at, authenticated_at, amr, variant, expires_at, sweep_at) FROM STDIN
            """;
    private static final String COPY_CLIENTS = """
            COPY oauth_clients (project_id, id, kind, name, redirect_uris, is_first_party, authentication, requires_pkce,
                                id_token_algorithm, claims_in_id_token, api_scopes, fresh_until, created_at, updated_at, ends_as)
            FROM STDIN
            """;
    private static final String COPY_GRANTS = """
            COPY oauth_grants (project_id, id, client_id, user_id, session_id, is_offline, scopes, resources, claims,
                               authenticated_at, amr, rotated_at, created_at, expires_at, sweep_at,
                               depends_on) FROM STDIN
            """;
    private static final String OTHER_PROJECTS = """
            INSERT INTO projects (id, name, slug, environment, created_at, updated_at)
            SELECT overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, 'Project ' || n, 'seeded-' || n,
                   'live', now(), now()
            FROM generate_series(1, ?) AS n
            """;
    private static final String MEMBERSHIPS = """
            INSERT INTO memberships (project_id, user_id, role, created_at)
            SELECT projects.id, (SELECT user_id FROM memberships LIMIT 1), 'owner', now() FROM projects
            WHERE slug LIKE 'seeded-%'
            """;

    private final Connection connection;
    private final Instant end;
    private final Random random = new Random(1815);

    /** The same hash for everyone, as cheap as those of a server with cheap hashes. */
    private final String passwordHash = Argon2Factory.create(Argon2Types.ARGON2id)
            .hash(1, 1024, 1, TestProject.PASSWORD.getBytes(StandardCharsets.UTF_8));

    private Seeding(Connection connection, Instant end) {
        this.connection = connection;
        this.end = end;
    }

    /** The newest user is created at {@code end}. */
    static Seeding of(EmbeddedDatabase database, Instant end) throws SQLException {
        return new Seeding(database.connect(), end);
    }

    /** Adds empty projects of the only dashboard user. */
    void otherProjects(int count) throws SQLException {
        try (var insert = connection.prepareStatement(OTHER_PROJECTS)) {
            insert.setInt(1, count);
            insert.executeUpdate();
        }
        run(MEMBERSHIPS);
    }

    /** Adds users, one every quarter of an hour, with sessions; the search index is built at the end. */
    void users(UUID project, int count) throws SQLException {
        var index = text("SELECT pg_get_indexdef('user_search_grams'::regclass)");
        run("DROP INDEX user_search_grams");
        copy(COPY_USERS, count, n -> user(project, n, count));
        run(index);
        copy(COPY_SESSIONS, count * SESSIONS_OF_A_USER, n -> session(project, n, count));
    }

    /** Adds clients by metadata document, and grants that spread over them and the users of the project. */
    void grants(UUID project, int count, int clients, int users) throws SQLException {
        run("UPDATE projects SET document_clients_end_as = id WHERE id = '" + project + "'");
        copy(COPY_CLIENTS, clients, n -> client(project, n));
        copy(COPY_GRANTS, count, n -> grant(project, n, clients, users));
    }

    /** Adds one user, like a sign up. */
    void user(UUID project, String email, String displayName, Instant at) throws SQLException {
        try (var insert = connection.prepareStatement(
                "INSERT INTO users (project_id, id, email, display_name, created_at, updated_at)"
                        + " VALUES (?, ?, ?, ?, now(), now())")) {
            insert.setObject(1, project);
            insert.setObject(2, id(at, random.nextLong()));
            insert.setString(3, email);
            insert.setString(4, displayName);
            insert.executeUpdate();
        }
    }

    /** Whether the project still has a row, even if it is deleted. */
    boolean hasProject(UUID project) {
        try (var select = connection.prepareStatement("SELECT FROM projects WHERE id = ?")) {
            select.setObject(1, project);
            return select.executeQuery().next();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Emails of users, taken at random. */
    List<String> anyEmails(UUID project, int count) throws SQLException {
        try (var select = connection.prepareStatement("SELECT email FROM users WHERE project_id = ?"
                + " AND password_hash IS NOT NULL ORDER BY random() LIMIT ?")) {
            select.setObject(1, project);
            select.setInt(2, count);
            var emails = new ArrayList<String>();
            for (var rows = select.executeQuery(); rows.next(); ) {
                emails.add(rows.getString(1));
            }
            return emails;
        }
    }

    void vacuum() throws SQLException {
        run("VACUUM ANALYZE");
    }

    /** The size of the search table and its index. */
    String searchSizes() throws SQLException {
        return text("SELECT 'table ' || pg_size_pretty(pg_relation_size('user_search')) || ', primary key '"
                + " || pg_size_pretty(pg_relation_size('user_search_pkey')) || ', index of parts '"
                + " || pg_size_pretty(pg_relation_size('user_search_grams')) || ', index of changes '"
                + " || pg_size_pretty(pg_relation_size('user_search_changes'))");
    }

    private String user(UUID project, int n, int count) {
        var at = at(n, count);
        var seed = new Random(n);
        var given = any(GIVEN, seed);
        var family = any(FAMILY, seed);
        var email = (plain(given) + "." + plain(family) + n + "@" + any(DOMAINS, seed)).toLowerCase(Locale.ROOT);
        var korean = any(KOREAN_FAMILY, seed) + any(KOREAN_GIVEN, seed);
        var name = seed.nextInt(10) == 0 ? korean : given + " " + family;
        return String.join(
                "\t",
                project.toString(),
                id(at, n).toString(),
                email,
                name,
                "https://cdn.example.com/avatars/" + n + ".png",
                "{\"plan\": \"pro\"}",
                Integer.toString(seed.nextInt(50)),
                at.plusSeconds(3600).toString(),
                passwordHash,
                at.toString(),
                at.toString());
    }

    /** Belongs to the user with the same number, modulo the number of users: three sessions for each. */
    private String session(UUID project, int n, int users) {
        var user = n % users;
        var at = at(user, users).plus(Duration.ofMinutes(n / users));
        var expires = end.plus(n % 200 == 0 ? Duration.ofDays(-1) : Duration.ofDays(1 + n % 7));
        return String.join(
                "\t",
                project.toString(),
                id(at, n).toString(),
                id(at(user, users), user).toString(),
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36",
                "203.0.113." + n % 256,
                "KR",
                at.toString(),
                at.toString(),
                at.toString(),
                at.toString(),
                "{pwd}",
                "A",
                expires.toString(),
                expires.toString());
    }

    private static String clientId(int n) {
        return "https://client" + n + ".example.com/app";
    }

    private String client(UUID project, int n) {
        return String.join(
                "\t",
                project.toString(),
                clientId(n),
                "document",
                "Application " + n,
                "{" + clientId(n) + "/callback}",
                "false",
                "none",
                "true",
                "RS256",
                "true",
                "{}",
                end.plus(Duration.ofDays(1)).toString(),
                end.toString(),
                end.toString(),
                project.toString());
    }

    /** Of the first session of its user. */
    private String grant(UUID project, int n, int clients, int users) {
        var user = n % users;
        var at = at(user, users);
        return String.join(
                "\t",
                project.toString(),
                id(at, n + (1L << 40)).toString(),
                clientId(n % clients),
                id(at, user).toString(),
                id(at, user).toString(),
                "true",
                "{openid,email,read}",
                "{https://orders.example.com/}",
                "{\"idToken\": [], \"userinfo\": []}",
                at.toString(),
                "{pwd}",
                at.toString(),
                at.toString(),
                end.plus(Duration.ofDays(30)).toString(),
                end.plus(Duration.ofDays(30)).toString(),
                "{" + project + "}");
    }

    private Instant at(int n, int count) {
        return end.minus(Duration.ofMinutes(15L * (count - n)));
    }

    private static UUID id(Instant at, long number) {
        var mixed = new Random(number).nextLong();
        return new UUID(
                at.toEpochMilli() << 16 | 0x7000 | mixed >>> 52,
                0x8000_0000_0000_0000L | (mixed & 0x3FFF_FFFF_FFFF_FFFFL));
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z]", "");
    }

    private static String any(List<String> texts, Random seed) {
        return texts.get(seed.nextInt(texts.size()));
    }

    private void copy(String sql, int count, IntFunction<String> row) throws SQLException {
        var copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
        for (int n = 0; n < count; n++) {
            var bytes = (row.apply(n) + "\n").getBytes(StandardCharsets.UTF_8);
            copy.writeToCopy(bytes, 0, bytes.length);
        }
        copy.endCopy();
    }

    private void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
