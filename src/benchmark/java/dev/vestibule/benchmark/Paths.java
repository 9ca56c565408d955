package dev.vestibule.benchmark;

import dev.vestibule.fixture.TestProject;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** The measured paths of a server and their lower bounds, as lines of the table. */
final class Paths {
    static final String BARE_SERVER = "bare Vert.x server";
    static final String BARE_UPDATE = "bare UPDATE";
    static final String BARE_HASHES = "bare Argon2id";
    static final String BRANDING = "branding";
    static final String VERIFY = "verify";
    static final String ME = "me";
    static final String REFRESH = "refresh";
    static final String SIGN_IN = "sign in";

    private final Vertx vertx;
    private final MeasuredServer server;
    private final StaticServer bare;
    private final TestProject project;
    private final List<Account> accounts;

    /** Kept over all loads of a path, because each client of a refresh knows its last token. */
    private final Map<String, List<Client>> clients = new LinkedHashMap<>();

    Paths(Vertx vertx, MeasuredServer server, StaticServer bare, TestProject project, List<Account> accounts) {
        this.vertx = vertx;
        this.server = server;
        this.bare = bare;
        this.project = project;
        this.accounts = accounts;
        var branding = Client.repeating(
                Client.request("GET", "/v1/auth/branding", "x-api-key: " + project.publishableKey(), ""),
                200,
                "showEmailPassword");
        var constant = Client.repeating(Client.request("GET", "/", "accept: */*", ""), 200, "value");
        each(BARE_SERVER, account -> constant);
        each(BRANDING, account -> branding);
        each(VERIFY, Client::verifying);
        each(ME, Client::askingForMe);
        each(REFRESH, Client::refreshing);
    }

    private void each(String name, Function<Account, Client> client) {
        clients.put(name, accounts.stream().map(client).toList());
    }

    /** A line of a path or of its lower bound, which is a constant response without a router, keys and limits. */
    Line line(String name, int count) {
        return line(name, clients(name, count));
    }

    /** Sign ins of users with the right password; their older sessions end. */
    Line signIn(List<Account> users) {
        return line(SIGN_IN, users.stream().map(Client::signingIn).toList());
    }

    private Line line(String name, List<Client> some) {
        return new Line(name, some.size(), clock(name), () -> ClosedLoad.of(vertx, port(name), some));
    }

    /** The path at a constant rate. */
    Load atRate(String name, int connections, double perSecond) {
        return OpenLoad.start(vertx, port(name), clients(name, connections), perSecond);
    }

    private int port(String name) {
        return name.equals(BARE_SERVER) ? bare.port() : server.port();
    }

    CpuClock clock(String name) {
        return name.equals(BARE_SERVER) ? bare.clock() : server.clock();
    }

    private List<Client> clients(String name, int count) {
        return clients.getOrDefault(name, List.of()).subList(0, count);
    }

    /** The lower bound of a refresh. */
    Line bareUpdate(int count) {
        var sessions = accounts.stream().limit(count).map(Account::session).toList();
        return new Line(
                BARE_UPDATE,
                count,
                server.clock(),
                () -> Updates.start(vertx, server.database(), UUID.fromString(project.id()), sessions));
    }

    /** The lower bound of a sign in. */
    static Line bareHashes() {
        return new Line(BARE_HASHES, HashLoad.THREADS, CpuClock.of(ProcessHandle.current()), HashLoad::start);
    }
}
