package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Uses everything in turn, at any node, remembers what was acknowledged, and holds the server to it. What was not
 * answered may have happened or not, so nothing is expected of it from then on.
 */
final class ChaosVisitor {
    private static final int SESSIONS = 4; // and one that the end opens, of the five that a user may have
    private static final int GRANTS = 3;
    private static final int MEMBERS = 80; // of an organization, which may have 100
    private static final long A_SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private enum State {
        LIVE,
        ENDED,
        UNKNOWN
    }

    /** Tokens, of a session or of a client's grant. */
    private static final class Tokens {
        private final String id;
        private String access;
        private String refresh;
        private State state = State.LIVE;
        private long endedAt;

        private Tokens(String id, String access, String refresh) {
            this.id = id;
            this.access = access;
            this.refresh = refresh;
        }

        private void end() {
            state = State.ENDED;
            endedAt = System.nanoTime();
        }

        /** What every node knows by now. */
        private boolean isLongEnded() {
            return state == State.ENDED && System.nanoTime() - endedAt > A_SECOND;
        }
    }

    private static final class Account {
        private final String email;
        private final String id;
        private final List<Tokens> sessions = new ArrayList<>();
        private State state = State.LIVE; // or banned
        private int signIns = 1;

        private Account(String email, String id) {
            this.email = email;
            this.id = id;
        }
    }

    private final ChaosLedger ledger;
    private final List<TestProject> doors;
    private final TestMailbox mailbox;
    private final String client;
    private final Response api;
    private final List<Account> accounts = new ArrayList<>();
    private final List<Tokens> grants = new ArrayList<>();
    private final Map<String, State> members = new HashMap<>();
    private @Nullable String organization;

    /** With some grants of a client, which take many steps. */
    ChaosVisitor(ChaosLedger ledger, List<TestProject> doors, TestMailbox mailbox, String client, Response api) {
        this.ledger = ledger;
        this.doors = doors;
        this.mailbox = mailbox;
        this.client = client;
        this.api = api;
        for (var i = 0; i < GRANTS; i++) {
            var project = doors.get(i % doors.size());
            var email = project.signUp().text("user/email");
            var code = new OauthBrowser(project).code(client, email, Map.of("scope", "openid offline_access"));
            var tokens = OauthBrowser.redeem(project, client, code, 200);
            grants.add(new Tokens("", tokens.text("access_token"), tokens.text("refresh_token")));
        }
    }

    /** Does one thing. */
    void visit() {
        var dice = ThreadLocalRandom.current().nextInt(100);
        if (accounts.isEmpty() || dice < 6) {
            signUp();
        } else if (dice < 12) {
            signIn(any(accounts));
        } else if (dice < 27) {
            anySession().ifPresent(this::refresh);
        } else if (dice < 31) {
            anySession().ifPresent(this::signOut);
        } else if (dice < 66) {
            anySession().ifPresent(session -> check(session, door -> door));
        } else if (dice < 69) {
            banOrUnban(any(accounts));
        } else if (dice < 71) {
            signInByCode();
        } else if (dice < 80) {
            changeOrganization();
        } else if (dice < 90) {
            refreshGrant(any(grants));
        } else if (dice < 99) {
            introspect(any(grants));
        } else {
            revoke(any(grants));
        }
    }

    private static <T> T any(List<T> list) {
        return list.get(ThreadLocalRandom.current().nextInt(list.size()));
    }

    private Optional<Tokens> anySession() {
        var sessions = any(accounts).sessions;
        return sessions.isEmpty() ? Optional.empty() : Optional.of(any(sessions));
    }

    /** Empty if nothing answers, or the database is away. A node that does not listen is no node. */
    private Optional<Response> send(Function<TestProject, Call> call) {
        var shuffled = new ArrayList<>(doors);
        Collections.shuffle(shuffled, ThreadLocalRandom.current());
        for (var door : shuffled) {
            try {
                var answer = call.apply(door).send();
                ledger.answered(String.valueOf(answer.status()));
                if (answer.status() == 503) {
                    ledger.unavailable();
                    return Optional.empty();
                }
                return Optional.of(answer);
            } catch (UncheckedIOException failure) {
                if (!(failure.getCause() instanceof ConnectException)) {
                    ledger.answered("none");
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** Empty if there is no answer, or not this one, which is a violation. */
    private Optional<Response> expect(String what, int status, Function<TestProject, Call> call) {
        ledger.check();
        return send(call).filter(answer -> {
            if (answer.status() != status) {
                ledger.violate("%s: %d instead of %d: %s".formatted(what, answer.status(), status, answer.body()));
            }
            return answer.status() == status;
        });
    }

    private void signUp() {
        var email = TestServer.newEmail();
        expect(
                        "sign up",
                        201,
                        door -> door.post("/v1/auth/signup")
                                .json(Map.of("email", email, "password", TestProject.PASSWORD)))
                .ifPresent(answer -> {
                    var account = new Account(email, answer.text("user/id"));
                    accounts.add(account);
                    ledger.acknowledge("user.created", account.id);
                    ledger.expectMail(email);
                    keepSession(account, answer);
                });
    }

    private void keepSession(Account account, Response answer) {
        var id = Jwt.parse(answer.accessToken()).claims().path("sid").asText();
        account.sessions.add(new Tokens(id, answer.accessToken(), answer.refreshToken()));
        ledger.acknowledge("session.created", id);
    }

    private void signIn(Account account) {
        if (account.signIns >= SESSIONS || account.state == State.UNKNOWN) {
            return;
        }
        account.signIns++;
        var isBanned = account.state == State.ENDED;
        expect(
                        isBanned ? "sign in while banned" : "sign in",
                        isBanned ? 403 : 200,
                        door -> door.trySignIn(account.email, TestProject.PASSWORD))
                .filter(answer -> !isBanned)
                .ifPresent(answer -> keepSession(account, answer));
    }

    private void refresh(Tokens session) {
        if (session.state == State.LIVE) {
            session.state = State.UNKNOWN;
            expect("refresh", 200, door -> door.refresh(session.refresh)).ifPresent(answer -> {
                session.access = answer.accessToken();
                session.refresh = answer.refreshToken();
                session.state = State.LIVE;
                ledger.acknowledge("refresh");
            });
        } else if (session.isLongEnded()) {
            expect("refresh of what ended", 401, door -> door.refresh(session.refresh));
        }
    }

    private void signOut(Tokens session) {
        if (session.state == State.LIVE) {
            session.state = State.UNKNOWN;
            expect("sign out", 200, door -> door.signOut(session.access)).ifPresent(answer -> {
                session.end();
                ledger.acknowledge("session.ended", session.id);
            });
        }
    }

    private void check(Tokens session, Function<TestProject, TestProject> choice) {
        if (session.state == State.LIVE) {
            expect("use of what is live", 200, door -> use(choice.apply(door), session));
        } else if (session.isLongEnded()) {
            expect("use of what ended", 401, door -> use(choice.apply(door), session));
        }
    }

    private static Call use(TestProject door, Tokens session) {
        return ThreadLocalRandom.current().nextBoolean() ? door.me(session.access) : door.verify(session.access);
    }

    private void banOrUnban(Account account) {
        if (account.state == State.UNKNOWN) {
            return;
        }
        var isBanned = account.state == State.ENDED;
        account.state = State.UNKNOWN;
        ledger.expectNoMail(account.email); // the banned are sent none
        account.sessions.stream()
                .filter(session -> session.state == State.LIVE)
                .forEach(session -> session.state = State.UNKNOWN);
        var path = "/v1/dashboard/users/" + account.id + (isBanned ? "/unban" : "/ban");
        expect(path, 200, door -> door.manage("PATCH", path)).ifPresent(answer -> {
            account.state = isBanned ? State.LIVE : State.ENDED;
            if (isBanned) {
                ledger.acknowledge("lifted ban");
            } else {
                account.sessions.forEach(Tokens::end);
                ledger.acknowledge("user.banned", account.id);
            }
        });
    }

    /** Of a new user whose email is proved, since the first proof ends all sessions. */
    private void signInByCode() {
        var email = TestServer.newEmail();
        expect(
                        "create",
                        201,
                        door -> door.manage("POST", "/v1/backend/users")
                                .json(Map.of("email", email, "password", TestProject.PASSWORD, "emailVerified", true)))
                .ifPresent(created -> {
                    var account = new Account(email, created.text("id"));
                    accounts.add(account);
                    ledger.acknowledge("user.created", account.id);
                    expect(
                                    "ask for a code",
                                    200,
                                    door -> door.post("/v1/auth/passwordless/email-otp")
                                            .json(Map.of("email", email)))
                            .ifPresent(asked -> signInBy(account));
                });
    }

    /** By the code of the first mail, or of the next one: two nodes may both send it where their clocks differ. */
    private void signInBy(Account account) {
        ledger.expectMail(account.email);
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        for (var tried = 0; System.nanoTime() < deadline; ) {
            var mails = mailbox.to(account.email);
            if (mails.size() > tried) {
                tried = mails.size();
                var code = TestMailbox.code(mails.get(tried - 1));
                Function<TestProject, Call> use = door ->
                        door.post("/v1/auth/passwordless/verify").json(Map.of("email", account.email, "code", code));
                var answer = send(use);
                if (answer.isEmpty() || answer.get().status() == 200) {
                    answer.ifPresent(tokens -> {
                        keepSession(account, tokens);
                        expect("use of a used code", 401, use);
                    });
                    return;
                }
                if (answer.get().status() != 401) {
                    ledger.violate("use of a code: " + answer.get().body());
                }
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        ledger.answered("no code in time");
    }

    private void changeOrganization() {
        var account = any(accounts);
        if (account.state != State.LIVE) {
            return;
        }
        if (organization == null) {
            expect(
                            "create an organization",
                            201,
                            door -> door.manage("POST", "/v1/backend/organizations")
                                    .json(Map.of("name", "Engines", "createdBy", account.id)))
                    .ifPresent(answer -> {
                        organization = answer.text("id");
                        members.put(account.id, State.UNKNOWN); // the last owner stays
                        ledger.acknowledge("organization");
                    });
            return;
        }
        var path = "/v1/backend/organizations/" + organization + "/members";
        var before = members.getOrDefault(account.id, State.ENDED);
        if (before == State.ENDED && members.size() < MEMBERS) {
            members.put(account.id, State.UNKNOWN);
            expect(
                            "add a member",
                            201,
                            door -> door.manage("POST", path).json(Map.of("userId", account.id, "role", "member")))
                    .ifPresent(answer -> keepMember(account, State.LIVE));
        } else if (before == State.LIVE) {
            members.put(account.id, State.UNKNOWN);
            expect("remove a member", 200, door -> door.manage("DELETE", path + "/" + account.id))
                    .ifPresent(answer -> keepMember(account, State.ENDED));
        }
        checkMembers(path);
    }

    private void keepMember(Account account, State state) {
        members.put(account.id, state);
        ledger.acknowledge("membership");
    }

    private void checkMembers(String path) {
        expect("list members", 200, door -> door.manage("GET", path)).ifPresent(answer -> {
            var listed = new HashSet<String>();
            answer.json().findValues("userId").forEach(id -> listed.add(id.asText()));
            members.forEach((id, state) -> {
                if (state != State.UNKNOWN && listed.contains(id) != (state == State.LIVE)) {
                    ledger.violate("a member of an organization is " + state + ", and listed are " + listed.size());
                }
            });
        });
    }

    private void refreshGrant(Tokens grant) {
        var form = OauthBrowser.refreshForm(client, grant.refresh);
        if (grant.state == State.LIVE) {
            grant.state = State.UNKNOWN;
            expect("refresh of a grant", 200, door -> OauthBrowser.call(door, form))
                    .ifPresent(answer -> {
                        grant.access = answer.text("access_token");
                        grant.refresh = answer.text("refresh_token");
                        grant.state = State.LIVE;
                        ledger.acknowledge("refresh of a grant");
                    });
        } else if (grant.isLongEnded()) {
            expect("refresh of a revoked grant", 400, door -> OauthBrowser.call(door, form));
        }
    }

    private static Call call(TestProject door, String path, Map<String, String> form) {
        return door.api()
                .post(OauthBrowser.issuerPath(door) + path)
                .raw("application/x-www-form-urlencoded", OauthBrowser.encode(form));
    }

    private void introspect(Tokens grant) {
        if (grant.state == State.LIVE || grant.isLongEnded()) {
            var isLive = grant.state == State.LIVE;
            var form = Map.of(
                    "client_id",
                    api.text("clientId"),
                    "client_secret",
                    api.text("clientSecret"),
                    "token",
                    grant.access);
            expect("introspection", 200, door -> call(door, "/oauth/introspect", form))
                    .ifPresent(answer -> {
                        if (answer.json().path("active").asBoolean() != isLive) {
                            ledger.violate("introspection of a grant that is " + grant.state + ": " + answer.body());
                        }
                    });
        }
    }

    private void revoke(Tokens grant) {
        if (grant.state == State.LIVE) {
            grant.state = State.UNKNOWN;
            expect(
                            "revocation",
                            200,
                            door -> call(door, "/oauth/revoke", Map.of("client_id", client, "token", grant.refresh)))
                    .ifPresent(answer -> {
                        grant.end();
                        ledger.acknowledge("revocation of a grant");
                    });
        }
    }

    /** Once all is well again: everything that was acknowledged is there, and nothing that ended works at any node. */
    void checkAll() {
        for (var account : accounts) {
            for (var session : account.sessions) {
                doors.forEach(each -> check(session, any -> each));
                refresh(session);
            }
            if (account.state != State.UNKNOWN) {
                account.signIns = 0;
                signIn(account);
            }
        }
        grants.forEach(this::introspect);
        grants.forEach(this::refreshGrant);
        if (organization != null) {
            checkMembers("/v1/backend/organizations/" + organization + "/members");
        }
    }
}
