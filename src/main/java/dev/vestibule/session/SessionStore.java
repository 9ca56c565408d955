package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.error.ApiException;
import dev.vestibule.journal.Actor;
import dev.vestibule.journal.Event;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.Account;
import dev.vestibule.user.DomainConnections;
import dev.vestibule.user.SecondFactorStore;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens and ends sessions and records their events, in the caller's transaction. A session that has ended has no row,
 * so after that commit neither of its tokens is valid.
 */
public final class SessionStore {
    /** How many sessions can hang on one sign in of a browser, which the project's limit counts as one. */
    private static final int MOST_OF_BROWSER = 50;

    private final Database database;
    private final Journal journal;
    private final SecondFactorStore secondFactors = new SecondFactorStore();
    private final SignInNetworks networks;
    private final ImpersonationStore impersonations;
    private final DomainConnections connections;

    public SessionStore(Database database, Journal journal, SignInNetworks networks, DomainConnections connections) {
        this.database = database;
        this.impersonations = new ImpersonationStore(database, journal);
        this.journal = journal;
        this.networks = networks;
        this.connections = connections;
    }

    /** Which connections of organizations sign in whom. */
    public DomainConnections connections() {
        return connections;
    }

    /**
     * Ends a session from before the domain of its person's email required a connection, and fails with this error:
     * nothing that issues tokens may go on with it. An impersonation is no sign in of the person, and stays.
     */
    public Future<Void> requireCurrent(
            ProjectId project, SessionId session, SessionPerson person, Instant now, Supplier<ApiException> refusal) {
        var authentication = person.authentication();
        return authentication.impersonator() != null
                ? Future.succeededFuture()
                : connections
                        .isOutdated(database.reads(), project, person.user().email(), authentication.at())
                        .compose(isOutdated -> isOutdated
                                ? database.inTransaction(transaction ->
                                                end(transaction, project, session, EndReason.SSO_REQUIRED, now))
                                        .compose(ended -> Future.failedFuture(refusal.get()))
                                : Future.succeededFuture());
    }

    private static final String OPEN_FIRST = """
            WITH seen AS (
                INSERT INTO sign_in_networks (project_id, user_id, network_hash, seen_at)
                SELECT $1, $3, $10, $7 WHERE $10::bytea <> '')
            INSERT INTO sessions (project_id, id, user_id, user_agent, ip_address, country,
                                  rotated_at, created_at, last_active_at, authenticated_at, expires_at, sweep_at, variant,
                                  amr)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $7, $8, $8, $9, $11)
            """;

    private static final String[] BY_PASSWORD = {Authentication.PASSWORD};

    /** The session of a user created in the same transaction, by a sign up; it does not count as a sign in. */
    public Future<Void> openFirst(
            SqlConnection transaction,
            Project project,
            ApiVariant variant,
            SessionId session,
            User user,
            Device device,
            Instant now) {
        return connections
                .requireAllowed(transaction, project.id(), user.email(), null)
                .compose(allowed -> insertFirst(transaction, project, variant, session, user, device, now))
                .onSuccess(inserted -> recordActivityAfterCommit(transaction, user))
                .compose(inserted -> trail(project.id(), user.id(), device)
                        .record(
                                transaction,
                                Published.SIGNED_UP,
                                user,
                                Map.of("amr", BY_PASSWORD),
                                List.of(),
                                List.of(new Event.Draft(
                                        EventKind.SESSION_CREATED,
                                        SessionNews.opened(user, newSession(project, session, user.id(), device, now)),
                                        Map.of()))));
    }

    private Future<Void> insertFirst(
            SqlConnection transaction,
            Project project,
            ApiVariant variant,
            SessionId session,
            User user,
            Device device,
            Instant now) {
        return Sql.run(
                        transaction,
                        OPEN_FIRST,
                        project.id(),
                        session,
                        user.id(),
                        device.userAgent(),
                        device.ipAddress(),
                        device.country(),
                        now,
                        now.plus(project.initialSessionLifetime()),
                        variant.name(),
                        networks.key(project.id(), user.email(), device),
                        BY_PASSWORD)
                .mapEmpty();
    }

    private void recordActivityAfterCommit(SqlConnection transaction, User user) {
        Database.afterCommit(
                transaction,
                () -> journal.markActive(user.projectId(), user.id().value()));
    }

    /** The trail of a user who signs in or up on a device. */
    public Trail trail(ProjectId project, UserId user, Device device) {
        return new Trail(journal, project, Actor.person(project, user.value(), device.ipAddress(), device.userAgent()));
    }

    private static Session newSession(Project project, SessionId session, UserId user, Device device, Instant now) {
        return new Session(
                session,
                user,
                device.userAgent(),
                device.ipAddress(),
                device.country(),
                now,
                now,
                now.plus(project.initialSessionLifetime()),
                null);
    }

    /**
     * Compares and sets: the sign-in count, the hash and the second factors must be those that the password was checked
     * against. So a password that was changed since then opens nothing, and neither does one for which a factor was set
     * up in the meantime. Every other sign in of this user is visible here, so the count of active sessions, which the
     * limit needs, is exact. A lock by failed sign ins since then applies too, except in a network from which the
     * account recently signed in and that has tries left. A sign in there does not end the lock, which continues for
     * strangers. All sessions of one sign in of a browser count as one, and begin and end together; the applications
     * that share it have a limit of their own. The user agents of the other sessions are read only if the network is
     * not known and the account has a history to compare with, so a usual sign in pays nothing for the check whether
     * its place is new.
     */
    private static final String OPEN = """
            WITH signed_in AS (
                UPDATE users
                SET sign_in_count = sign_in_count + 1, last_sign_in_at = $7,
                    password_hash = coalesce($11, password_hash)
                WHERE project_id = $1 AND id = $3 AND sign_in_count = $9
                  AND password_hash IS NOT DISTINCT FROM $10 AND second_factors = $21 AND NOT is_banned
                  AND NOT EXISTS (
                      SELECT FROM sign_in_failures AS failures
                      WHERE failures.project_id = $1 AND failures.email_hash = $13 AND failures.locked_until > $7
                        AND NOT (
                            EXISTS (
                                SELECT FROM sign_in_networks
                                WHERE project_id = $1 AND user_id = $3 AND network_hash = $15 AND seen_at > $16)
                            AND NOT EXISTS (
                                SELECT FROM sign_in_failures_by_network AS own
                                WHERE own.project_id = $1 AND own.email_hash = $13 AND own.network_hash = $15
                                  AND own.window_start = failures.window_start AND own.failures >= $17)))
                RETURNING *),
            browser AS (
                SELECT coalesce(browser_id, id) AS id FROM sessions
                WHERE project_id = $1 AND user_id = $3 AND id = $24 AND expires_at > $7),
            evicted AS (
                DELETE FROM sessions
                WHERE project_id = $1 AND user_id = $3 AND EXISTS (SELECT FROM signed_in) AND id IN (
                    SELECT id FROM (
                        SELECT id,
                               dense_rank() OVER (ORDER BY is_here DESC, newest DESC, browser DESC) AS browsers,
                               row_number() OVER (PARTITION BY browser ORDER BY is_first DESC, created_at DESC, id DESC)
                                   AS within
                        FROM (
                            SELECT id, created_at, coalesce(browser_id, id) AS browser,
                                   max(created_at) OVER (PARTITION BY coalesce(browser_id, id)) AS newest,
                                   coalesce(browser_id, id) IS NOT DISTINCT FROM (SELECT id FROM browser) AS is_here,
                                   id IS NOT DISTINCT FROM $24 AS is_first
                            FROM sessions
                            WHERE project_id = $1 AND user_id = $3 AND expires_at > $7
                              AND impersonator_id IS NULL) AS active) AS placed
                    WHERE browsers > $12 + (SELECT count(*) FROM browser) OR within > $25)
                RETURNING *),
            opened AS (
                INSERT INTO sessions (project_id, id, user_id, user_agent, ip_address, country,
                                      rotated_at, created_at, last_active_at, authenticated_at, expires_at, sweep_at,
                                      variant, amr, browser_id)
                SELECT project_id, $2, id, $4, $5, $6, $7, $7, $7, $23, $8, $8, $14, $20, (SELECT id FROM browser)
                FROM signed_in),
            forgiven AS (
                DELETE FROM sign_in_failures
                WHERE project_id = $1 AND email_hash = $13 AND EXISTS (SELECT FROM signed_in)
                  AND (locked_until IS NULL OR locked_until <= $7)),
            forgiven_here AS (
                DELETE FROM sign_in_failures_by_network
                WHERE project_id = $1 AND email_hash = $13 AND network_hash = $15 AND EXISTS (SELECT FROM signed_in)),
            seen AS (
                INSERT INTO sign_in_networks AS seen (project_id, user_id, network_hash, seen_at, factor_seen_at)
                SELECT project_id, id, $15, $7, CASE WHEN $22 THEN $7 END FROM signed_in
                WHERE $15 <> '' AND NOT EXISTS (
                    SELECT FROM sign_in_networks
                    WHERE project_id = $1 AND user_id = $3 AND network_hash = $15 AND seen_at > $18
                      AND (NOT $22 OR factor_seen_at > $18))
                ON CONFLICT (project_id, user_id, network_hash) DO UPDATE
                SET seen_at = excluded.seen_at, factor_seen_at = coalesce(excluded.factor_seen_at, seen.factor_seen_at)
                RETURNING user_id),
            crowded_out AS (
                DELETE FROM sign_in_networks
                WHERE project_id = $1 AND user_id = $3 AND EXISTS (SELECT FROM seen) AND network_hash IN (
                    SELECT network_hash FROM sign_in_networks
                    WHERE project_id = $1 AND user_id = $3 AND network_hash <> $15
                    ORDER BY seen_at DESC
                    OFFSET $19))
            SELECT %s, %s,
                   CASE WHEN $15 <> ''
                        AND NOT EXISTS (
                            SELECT FROM sign_in_networks
                            WHERE project_id = $1 AND user_id = $3 AND network_hash = $15 AND seen_at > $16)
                        AND (users.sign_in_count > 1 OR EXISTS (
                            SELECT FROM sign_in_networks WHERE project_id = $1 AND user_id = $3))
                   THEN ARRAY(
                       SELECT DISTINCT coalesce(user_agent, '') FROM sessions
                       WHERE project_id = $1 AND user_id = $3 AND impersonator_id IS NULL) END AS user_agents_elsewhere
            FROM signed_in AS users LEFT JOIN evicted AS sessions ON true
            """.formatted(UserRows.COLUMNS, SessionRows.PREFIXED_COLUMNS);

    /**
     * The user after a sign in, and whether it came from a network that the account did not use recently and from a
     * device that none of its sessions has. For an account that never signed in, nothing counts as new.
     */
    public record Opened(User user, boolean isFromNewPlace) {}

    /**
     * What a sign in writes: the session, and the account as it was when the password was checked.
     *
     * @param connectedBy the organization whose connection has identified the person; null for all other ways
     * @param browser the session of the same browser that the new one hangs on; null for a sign in of its own
     */
    public record SignIn(
            SessionId session,
            ApiVariant variant,
            Account checked,
            @Nullable String rehashed,
            Buffer failuresKey,
            Device device,
            Authentication authentication,
            Instant now,
            @Nullable UUID connectedBy,
            @Nullable SessionId browser) {
        public SignIn(
                SessionId session,
                ApiVariant variant,
                Account checked,
                @Nullable String rehashed,
                Buffer failuresKey,
                Device device,
                Authentication authentication) {
            this(
                    session,
                    variant,
                    checked,
                    rehashed,
                    failuresKey,
                    device,
                    authentication,
                    authentication.at(),
                    null,
                    device.session());
        }

        /** No row of failed sign ins has this key. */
        public static final Buffer NO_FAILURES = Buffer.buffer();

        /**
         * Guesses lock an email only for passwords, so a sign in without a password ignores the lock and leaves it in
         * place.
         */
        public static SignIn withoutPassword(
                SessionId session, ApiVariant variant, Account account, Device device, Authentication authentication) {
            return new SignIn(session, variant, account, null, NO_FAILURES, device, authentication);
        }

        /** This sign in, if an organization's connection identified the user, as one by it. */
        public SignIn connectedBy(@Nullable UUID organization) {
            return new SignIn(
                    session,
                    variant,
                    checked,
                    rehashed,
                    failuresKey,
                    device,
                    authentication,
                    now,
                    organization,
                    browser);
        }

        /** The person has authenticated before, in the same browser, whose session this is. */
        public static SignIn again(
                SessionId session,
                ApiVariant variant,
                Account account,
                Device device,
                Authentication before,
                SessionId browser,
                Instant now) {
            return new SignIn(session, variant, account, null, NO_FAILURES, device, before, now, null, browser);
        }
    }

    /**
     * Counts the sign in, opens its session and ends the oldest ones above the project's limit. Returns the user as it
     * is now, and whether the place is new; empty if the account has changed since the password was checked. All ways
     * of signing in end here, so this is where one that the email's domain does not allow is refused.
     */
    public Future<Optional<Opened>> open(SqlConnection transaction, Project project, SignIn signIn) {
        var user = signIn.checked().user();
        var device = signIn.device();
        var browser = signIn.browser();
        return connections
                .requireAllowed(transaction, project.id(), user.email(), signIn.connectedBy())
                .compose(allowed -> Sql.run(
                        transaction,
                        OPEN,
                        project.id(),
                        signIn.session(),
                        user.id(),
                        device.userAgent(),
                        device.ipAddress(),
                        device.country(),
                        signIn.now(),
                        signIn.now().plus(project.initialSessionLifetime()),
                        user.signInCount(),
                        signIn.checked().passwordHash(),
                        signIn.rehashed(),
                        project.maxConcurrentSessions() - 1,
                        signIn.failuresKey(),
                        signIn.variant().name(),
                        networks.key(project.id(), user.email(), device),
                        networks.knownSince(signIn.now()),
                        networks.tries(),
                        SignInNetworks.freshSince(signIn.now()),
                        networks.perAccount() - 1,
                        signIn.authentication().methods().toArray(String[]::new),
                        signIn.checked().user().secondFactors().toArray(),
                        signIn.authentication().isMultiFactor(),
                        signIn.authentication().at(),
                        browser,
                        MOST_OF_BROWSER - 1))
                .compose(rows -> recordSignIn(transaction, project, signIn, rows));
    }

    private Future<Optional<Opened>> recordSignIn(
            SqlConnection transaction, Project project, SignIn signIn, RowSet<Row> rows) {
        var user = Rows.first(rows, UserRows::user);
        if (user.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        recordActivityAfterCommit(transaction, user.get());
        var device = signIn.device();
        var session = newSession(project, signIn.session(), user.get().id(), device, signIn.now());
        var evicted = evicted(rows);
        var details = new LinkedHashMap<String, Object>();
        details.put("amr", signIn.authentication().methods());
        if (!evicted.isEmpty()) {
            details.put("evictedSessions", evicted.size());
        }
        return trail(project.id(), user.get().id(), device)
                .record(
                        transaction,
                        Published.SIGNED_IN,
                        SessionNews.opened(user.get(), session),
                        details,
                        evicted.stream()
                                .map(ended -> SessionNews.ended(project.id(), ended, EndReason.EVICTED))
                                .toList(),
                        List.of())
                .compose(recorded -> keepOffline(transaction, project.id(), evicted))
                .map(Optional.of(new Opened(user.get(), SignInLocation.isNew(device, userAgentsElsewhere(rows)))));
    }

    private static final String KEEP_OFFLINE = """
            UPDATE oauth_grants SET session_id = NULL
            WHERE project_id = $1 AND session_id = ANY ($2) AND is_offline
            """;

    /** Offline grants outlive the sessions that made room, as those that expire, after their clients were told. */
    private static Future<Void> keepOffline(SqlConnection transaction, ProjectId project, List<Session> evicted) {
        return evicted.isEmpty()
                ? Future.succeededFuture()
                : Sql.run(
                                transaction,
                                KEEP_OFFLINE,
                                project,
                                evicted.stream()
                                        .map(session -> session.id().value())
                                        .toArray(UUID[]::new))
                        .mapEmpty();
    }

    private static @Nullable List<@Nullable String> userAgentsElsewhere(RowSet<Row> rows) {
        var found = rows.iterator().next().getArrayOfStrings("user_agents_elsewhere");
        return found == null ? null : List.of(found);
    }

    /** The outer join gives one row without a session if none was evicted. */
    private static List<Session> evicted(RowSet<Row> rows) {
        return Rows.all(rows, SessionRows::optionalSession).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private static final String END = """
            DELETE FROM sessions WHERE project_id = $1 AND id = $2 AND expires_at > $3
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /** The session that this ended; empty if there is no active session with this id. */
    public Future<Optional<Session>> end(
            SqlConnection transaction, ProjectId project, SessionId session, EndReason reason, Instant now) {
        return Sql.run(transaction, END, project, session, now)
                .compose(ended -> recordEnd(transaction, project, ended, reason, now));
    }

    private Future<Optional<Session>> recordEnd(
            SqlConnection transaction, ProjectId project, RowSet<Row> ended, EndReason reason, Instant now) {
        return recordEnds(transaction, project, ended, reason)
                .map(sessions -> sessions.stream().findFirst())
                .compose(session -> session.isEmpty()
                        ? Future.succeededFuture(session)
                        : endImpersonations(transaction, project, session.get().userId(), now)
                                .map(session));
    }

    private static final String END_OWN = """
            DELETE FROM sessions WHERE project_id = $1 AND user_id = $2 AND id = $3 AND expires_at > $4
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /** Like {@link #end}, but only a session of this user. */
    public Future<Optional<Session>> endOwn(
            SqlConnection transaction,
            ProjectId project,
            UserId user,
            SessionId session,
            EndReason reason,
            Instant now) {
        return Sql.run(transaction, END_OWN, project, user, session, now)
                .compose(ended -> recordEnd(transaction, project, ended, reason, now));
    }

    private static final String END_OF_BROWSER = """
            DELETE FROM sessions
            WHERE project_id = $1 AND user_id = $2 AND expires_at > $4 AND coalesce(browser_id, id) = (
                SELECT coalesce(browser_id, id) FROM sessions
                WHERE project_id = $1 AND user_id = $2 AND id = $3 AND expires_at > $4)
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /**
     * Ends an active session of this user, and those of the same browser: of the sign ins before it, and of the
     * applications that shared them. The transaction must hold the lock of the user's row.
     */
    public Future<List<Session>> endOfBrowser(
            SqlConnection transaction, ProjectId project, UserId user, SessionId session, Instant now) {
        return Sql.run(transaction, END_OF_BROWSER, project, user, session, now)
                .compose(ended -> recordEnds(transaction, project, ended, EndReason.SIGNED_OUT))
                .compose(ended -> ended.isEmpty()
                        ? Future.succeededFuture(ended)
                        : endImpersonations(transaction, project, user, now).map(ended));
    }

    /** Offline grants outlive the expiry of their session; the session of any other one here has ended before. */
    private static final String DISCONNECT = """
            DELETE FROM oauth_grants AS grants
            WHERE project_id = $1 AND user_id = $2
              AND NOT EXISTS (
                  SELECT FROM sessions WHERE project_id = $1 AND id = grants.session_id AND expires_at > $3)
              AND NOT EXISTS (SELECT FROM oauth_endings WHERE project_id = $1 AND id = ANY (grants.depends_on))
            RETURNING id, client_id, scopes, resources,
                is_offline AND expires_at > $3 AND parent_id IS NULL
                AND (code_hash IS NULL OR code_used_at IS NOT NULL)
                AND (session_id IS NULL OR session_id = ANY ($4)
                     OR EXISTS (SELECT FROM sessions WHERE project_id = $1 AND id = grants.session_id)) AS was_live
            """;

    /**
     * Ends what clients keep of a user whose sessions have just ended and were recorded, and tells the clients that had
     * outlived theirs. After the sessions, in whose order the sweep takes its locks too.
     *
     * @param expired sessions that this transaction has removed after they had expired
     */
    private Future<Void> disconnect(
            SqlConnection transaction,
            ProjectId project,
            UserId user,
            EndReason reason,
            List<Session> expired,
            Instant now) {
        return Sql.run(
                        transaction,
                        DISCONNECT,
                        project,
                        user,
                        now,
                        expired.stream().map(session -> session.id().value()).toArray(UUID[]::new))
                .compose(rows -> {
                    var told = new HashSet<String>();
                    var ends = new ArrayList<Event.Draft>();
                    for (var row : rows) {
                        if (row.getBoolean("was_live")) {
                            var grant = new GrantData(
                                    row.getUUID("id"),
                                    row.getString("client_id"),
                                    user,
                                    List.of(row.getArrayOfStrings("scopes")),
                                    List.of(row.getArrayOfStrings("resources")));
                            ends.add(new Event.Draft(
                                    EventKind.GRANT_ENDED,
                                    new OutlivedSession(project, grant, told.add(grant.clientId())),
                                    Map.of("reason", reason)));
                        }
                    }
                    return journal.publish(transaction, ends);
                });
    }

    private static final String END_KEYS = """
            DELETE FROM user_keys WHERE project_id = $1 AND user_id = $2
            """;

    private static final String END_SETUP_LINKS = """
            DELETE FROM organization_setup_links WHERE project_id = $1 AND created_by = $2
            """;

    private static Future<Void> endKeysAndConsents(
            SqlClient transaction, ProjectId project, UserId user, EndReason reason) {
        return reason.endsKeys()
                ? Sql.run(transaction, END_KEYS, project, user)
                        .compose(ended -> Sql.run(transaction, END_SETUP_LINKS, project, user))
                        .compose(ended -> forgetConsents(transaction, project, user))
                : Future.succeededFuture();
    }

    private static final String FORGET_CONSENTS = """
            DELETE FROM oauth_consents WHERE project_id = $1 AND user_id = $2
            """;

    /** Somebody else may have agreed than uses the account now, and a client that was agreed to asks nobody again. */
    private static Future<Void> forgetConsents(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, FORGET_CONSENTS, project, user).mapEmpty();
    }

    private static final String END_ALL = """
            WITH forgotten AS (
                DELETE FROM sign_in_networks WHERE project_id = $1 AND user_id = $2 AND (factor_seen_at IS NULL OR $4))
            DELETE FROM sessions WHERE project_id = $1 AND user_id = $2 AND expires_at > $3
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /**
     * The sessions of a user that this ended. Also ends unfinished sign ins and what clients keep from expired
     * sessions, forgets what the user has agreed to where that may have been somebody else, and the networks of the
     * user's sign ins, which may be another person's; networks known for both factors are forgotten only if the account
     * changes hands, or a reset by mail would open them to strangers' guesses. The transaction must hold the lock of
     * the user's row, which a sign in takes too: so no new session goes unnoticed, and two transactions that end
     * several sessions cannot deadlock.
     */
    public Future<List<Session>> endAll(
            SqlConnection transaction, ProjectId project, UserId user, EndReason reason, Instant now) {
        return secondFactors
                .endSignIns(transaction, project, user)
                .compose(unfinished -> Sql.run(transaction, END_ALL, project, user, now, reason.changesHands()))
                .compose(ended -> recordEnds(transaction, project, ended, reason))
                .compose(ended -> disconnect(transaction, project, user, reason, List.of(), now)
                        .map(ended))
                .compose(ended ->
                        endKeysAndConsents(transaction, project, user, reason).map(ended))
                .compose(ended ->
                        endImpersonations(transaction, project, user, now).map(ended));
    }

    /**
     * When a dashboard session ends, for any reason except its age or a newer session, the sessions that were opened
     * from it end too: someone else may have opened them.
     */
    private Future<Void> endImpersonations(SqlConnection transaction, ProjectId project, UserId user, Instant now) {
        return project.equals(ProjectId.SYSTEM)
                ? impersonations.endEverywhere(transaction, user, now)
                : Future.succeededFuture();
    }

    private static final String REMEMBER_NETWORK = """
            INSERT INTO sign_in_networks AS seen (project_id, user_id, network_hash, seen_at, factor_seen_at)
            SELECT $1, $2, $3, $4::timestamptz, CASE WHEN $5 THEN $4::timestamptz END WHERE $3::bytea <> ''
            ON CONFLICT (project_id, user_id, network_hash) DO UPDATE
            SET seen_at = excluded.seen_at, factor_seen_at = coalesce(excluded.factor_seen_at, seen.factor_seen_at)
            """;

    /**
     * Treats the network as if the user had signed in from it with one factor: for a person who has proved more than a
     * password from there.
     */
    public Future<Void> rememberNetwork(SqlConnection transaction, User user, Device device, Instant now) {
        return rememberNetwork(transaction, user, user.email(), device, now, false);
    }

    /** For codes by SMS: from now on, tries from there count as the account's own. */
    public Future<Void> rememberNetworkForPhone(SqlConnection transaction, User user, Device device, Instant now) {
        return rememberNetwork(transaction, user, user.phone(), device, now, false);
    }

    /**
     * For second factors, once somebody has set one up in a session opened with the first: the owner has both there.
     */
    public Future<Void> rememberNetworkForFactor(SqlConnection transaction, User user, Device device, Instant now) {
        return rememberNetwork(transaction, user, user.email(), device, now, true);
    }

    private Future<Void> rememberNetwork(
            SqlConnection transaction,
            User user,
            @Nullable String emailOrPhone,
            Device device,
            Instant now,
            boolean byBothFactors) {
        return Sql.run(
                        transaction,
                        REMEMBER_NETWORK,
                        user.projectId(),
                        user.id(),
                        networks.key(user.projectId(), emailOrPhone, device),
                        now,
                        byBothFactors)
                .mapEmpty();
    }

    private static final String END_OTHERS = """
            DELETE FROM sessions WHERE project_id = $1 AND user_id = $2 AND id <> $3 AND expires_at > $4
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /**
     * Like {@link #endAll}, except for one session that is kept. Its person has made the keys and has agreed, unless
     * nobody had proved the email until now.
     */
    public Future<List<Session>> endOthers(
            SqlConnection transaction, ProjectId project, UserId user, SessionId kept, EndReason reason, Instant now) {
        return secondFactors
                .endSignIns(transaction, project, user)
                .compose(unfinished -> Sql.run(transaction, END_OTHERS, project, user, kept, now))
                .compose(ended -> recordEnds(transaction, project, ended, reason))
                .compose(ended -> disconnect(transaction, project, user, reason, List.of(), now)
                        .map(ended))
                .compose(ended -> (reason == EndReason.EMAIL_CLAIMED
                                ? endKeysAndConsents(transaction, project, user, reason)
                                : Future.<Void>succeededFuture())
                        .map(ended))
                .compose(ended ->
                        endImpersonations(transaction, project, user, now).map(ended));
    }

    private Future<List<Session>> recordEnds(
            SqlConnection transaction, ProjectId project, RowSet<Row> ended, EndReason reason) {
        var sessions = Rows.all(ended, SessionRows::session);
        return journal.publish(
                        transaction,
                        sessions.stream()
                                .map(session -> SessionNews.ended(project, session, reason))
                                .toList())
                .map(sessions);
    }

    private static final String LOCK_ALL = """
            SELECT FROM sessions WHERE project_id = $1 AND user_id = $2 FOR UPDATE
            """;

    /**
     * For a transaction that changes the user before it ends the sessions. Triggers count both changes: a transaction
     * that ends one session locks its row first and then the count, so this transaction must lock in the same order.
     */
    public Future<Void> lockAll(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, LOCK_ALL, project, user).mapEmpty();
    }

    private static final String DELETE_ALL = """
            DELETE FROM sessions WHERE project_id = $1 AND user_id = $2
            RETURNING %s
            """.formatted(SessionRows.COLUMNS);

    /**
     * Ends all sessions of a user who is about to be deleted, expired ones included: deleting the user's row would
     * delete them without an event.
     */
    public Future<Void> deleteAll(SqlConnection transaction, ProjectId project, UserId user, Instant now) {
        return Sql.run(transaction, DELETE_ALL, project, user)
                .map(rows -> Rows.all(rows, SessionRows::session))
                .compose(ended -> journal.publish(
                                transaction,
                                ended.stream()
                                        .map(session -> SessionNews.ended(
                                                project,
                                                session,
                                                session.expiresAt().isAfter(now)
                                                        ? EndReason.DELETED
                                                        : EndReason.EXPIRED))
                                        .toList())
                        .map(ended))
                .compose(ended -> disconnect(
                        transaction,
                        project,
                        user,
                        EndReason.DELETED,
                        ended.stream()
                                .filter(session -> !session.expiresAt().isAfter(now))
                                .toList(),
                        now))
                .compose(recorded -> endImpersonations(transaction, project, user, now));
    }

    /**
     * Finds the rows by ctid: the planner cannot know how few ids there are, and would read all sessions for the join.
     * The outer join gives one row without a session if none has expired.
     */
    private static final String SWEEP = """
            WITH due AS MATERIALIZED (
                SELECT ctid AS place, expires_at FROM sessions
                WHERE sweep_at <= $1
                ORDER BY sweep_at
                LIMIT $2
                FOR UPDATE SKIP LOCKED),
            postponed AS (
                UPDATE sessions SET sweep_at = expires_at
                WHERE ctid = ANY (ARRAY(SELECT place FROM due WHERE expires_at > $1))),
            removed AS (
                DELETE FROM sessions
                WHERE ctid = ANY (ARRAY(SELECT place FROM due WHERE expires_at <= $1))
                RETURNING *),
            kept AS (
                UPDATE oauth_grants SET session_id = NULL
                FROM removed
                WHERE oauth_grants.project_id = removed.project_id AND oauth_grants.session_id = removed.id
                  AND oauth_grants.is_offline)
            SELECT swept.total, sessions.project_id, %s
            FROM (SELECT count(*) AS total FROM due) AS swept LEFT JOIN removed AS sessions ON true
            """.formatted(SessionRows.PREFIXED_COLUMNS);

    /**
     * Checks up to {@code limit} due sessions of all projects, removes the expired ones, and returns how many it
     * checked; nodes share the work.
     */
    Future<Long> sweep(SqlConnection transaction, Instant now, int limit) {
        return Sql.run(transaction, SWEEP, now, limit)
                .compose(rows -> journal.publish(transaction, expired(rows))
                        .map(recorded -> Rows.single(rows, row -> row.getLong("total"))));
    }

    private static List<Event.Draft> expired(RowSet<Row> rows) {
        return Rows.all(rows, row -> expired(row)).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Event.Draft> expired(Row row) {
        return SessionRows.optionalSession(row)
                .map(session ->
                        SessionNews.ended(new ProjectId(row.getUUID("project_id")), session, EndReason.EXPIRED));
    }
}
