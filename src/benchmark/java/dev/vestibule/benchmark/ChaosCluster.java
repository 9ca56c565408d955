package dev.vestibule.benchmark;

import dev.vestibule.database.embedded.EmbeddedServer;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.PostgresProcesses;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Two nodes of the jar, and a third within this JVM that has a clock of its own, each behind a proxy of its own in
 * front of one PostgreSQL, whose disk is small.
 */
final class ChaosCluster implements AutoCloseable {
    /** What is killed and started again. */
    static final class Node {
        private final JarCommand command;
        private final URI url;
        private volatile JarServer jar;
        private final List<JarServer> killed = new ArrayList<>();

        private Node(JarCommand command, URI url) {
            this.command = command;
            this.url = url;
            this.jar = command.start();
        }

        void kill() {
            jar.kill();
            killed.add(jar);
        }

        void startAgain() {
            jar = command.start();
        }

        ServerProcess process() {
            return new ServerProcess(jar.pid());
        }

        Stream<String> outputs() {
            return Stream.concat(killed.stream(), Stream.of(jar)).map(JarServer::output);
        }
    }

    private final SmallDisk disk;
    private final EmbeddedServer postgres;
    private final TestMailbox mailbox = TestMailbox.start();
    private final TestReceiver receiver = TestReceiver.start();
    private final JumpingClock clock = new JumpingClock();
    private final List<DatabaseProxy> proxies;
    private final List<Node> nodes;
    private final TestServer nodeWithClock;

    private ChaosCluster(Path folder) {
        disk = SmallDisk.at(folder.resolve("database"));
        postgres = EmbeddedServer.start(dataDir());
        proxies = Stream.generate(() -> DatabaseProxy.before(databaseUrl()))
                .limit(3)
                .toList();
        nodes = List.of(node(folder.resolve("one"), proxies.get(0)), node(folder.resolve("two"), proxies.get(1)));
        nodeWithClock = TestServer.startOn(proxies.get(2).url(), settings(), clock);
    }

    static ChaosCluster start(Path folder) {
        return new ChaosCluster(folder);
    }

    private Path dataDir() {
        return disk.folder().resolve("data");
    }

    private String databaseUrl() {
        var address = postgres.address();
        return "postgresql://%s:%s@%s:%d/%s?sslmode=disable"
                .formatted(address.user(), address.password(), address.host(), address.port(), address.database());
    }

    private Map<String, String> settings() {
        var all = new HashMap<>(mailbox.settings());
        all.putAll(TestServer.USUAL_DATABASE_WAITS);
        all.putAll(Map.of(
                "VESTIBULE_SECRET", TestServer.SECRET,
                "VESTIBULE_PUBLIC_URL", "https://auth.example.com",
                "VESTIBULE_DASHBOARD_REGISTRATION", "open",
                "VESTIBULE_LIMITS_ENABLED", "false",
                "VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true"));
        return all;
    }

    private Node node(Path folder, DatabaseProxy proxy) {
        var port = FreePort.find();
        var command = MeasuredServer.cheap(folder).java("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        for (var setting : settings().entrySet()) {
            command = command.with(setting.getKey(), setting.getValue());
        }
        return new Node(
                command.with("VESTIBULE_DATABASE_URL", proxy.url()).with("VESTIBULE_HTTP_PORT", String.valueOf(port)),
                URI.create("http://localhost:" + port));
    }

    /** A project with an endpoint that is told of everything, called at a node by a client that only sends. */
    TestProject newProject() {
        var project = nodeWithClock.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("sessionConfig", Map.of("accessTokenTtl", 86_400), "securityNotices", false))
                .expect(200);
        project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", receiver.url(ChaosLedger.HOOK), "events", List.of("*")))
                .expect(201);
        return project;
    }

    /** The project at every node. */
    List<TestProject> doors(TestProject project) {
        return Stream.concat(
                        nodes.stream().map(node -> node.url),
                        Stream.of(nodeWithClock.api().base()))
                .map(url -> project.through(ApiClient.undescribed(url)))
                .toList();
    }

    SmallDisk disk() {
        return disk;
    }

    TestMailbox mailbox() {
        return mailbox;
    }

    TestReceiver receiver() {
        return receiver;
    }

    JumpingClock clock() {
        return clock;
    }

    List<DatabaseProxy> proxies() {
        return proxies;
    }

    DatabaseProxy anyProxy() {
        return proxies.get(ThreadLocalRandom.current().nextInt(proxies.size()));
    }

    List<Node> nodes() {
        return nodes;
    }

    void killPostgres() {
        new PostgresProcesses(dataDir()).kill();
    }

    Sql sql() {
        return new Sql(databaseUrl());
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.jar.kill());
        nodeWithClock.close();
        proxies.forEach(DatabaseProxy::close);
        postgres.close();
        disk.close();
        receiver.close();
        mailbox.close();
    }
}
