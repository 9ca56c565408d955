package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.benchmark.Load.Figure;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints the table; see the package for how to run it. Its name keeps it out of the ordinary test run. */
class Benchmark {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration PASSWORDS_WARM_UP = Duration.ofSeconds(20); // there are only few a second
    private static final Duration TIME = Duration.ofSeconds(10);
    private static final int SIGN_IN_CLIENTS = 16;
    private static final int CONNECTIONS = 64;
    private static final int STARTS = 5;
    private static final int TRIES = 200;
    private static final Duration BREATH = Duration.ofMillis(20);
    private static final int MIXED_REQUESTS = 10_000;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Table table = new Table();

    private final Path folder;

    Benchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() throws Exception {
        table.line("Java %s, %d cores", Runtime.version(), Runtime.getRuntime().availableProcessors());
        starts();
        try (var server = command("server").start()) {
            var project = firstProject(server);
            requests(
                    project,
                    accounts(project, CONNECTIONS)); // first, so that most code is compiled before the measurements
            passwords(project, accounts(project, SIGN_IN_CLIENTS));
            guesses(project, accounts(project, 1).get(0).text("user/email"));
            codes(project, "forgot");
            codes(project, "reset");
        }
        memory();
        vertx.close().await();
    }

    private JarCommand command(String name) {
        return JarCommand.unconfigured(folder.resolve(name))
                .with("VESTIBULE_HTTP_PORT", "0")
                .with("VESTIBULE_MANAGEMENT_PORT", "0")
                .with("VESTIBULE_LIMITS_ENABLED", "false");
    }

    /** With a client that does nothing but send. */
    private static TestProject firstProject(JarServer server) {
        var project = server.firstProject();
        return project.through(ApiClient.undescribed(project.api().base()));
    }

    private static List<Response> accounts(TestProject project, int count) {
        return IntStream.range(0, count).mapToObj(i -> project.signUp()).toList();
    }

    private void starts() throws IOException {
        var first = new ArrayList<Double>();
        var second = new ArrayList<Double>();
        for (int i = 0; i < STARTS; i++) {
            first.add(secondsToFirstAnswer(command("start-" + i)));
            second.add(secondsToFirstAnswer(command("start-" + i)));
        }
        table.line("start to first answer: %.2f s, on an empty folder %.2f s", median(second), median(first));
        table.line("jar: %.1f MB", Files.size(JarCommand.jar()) / 1e6);
    }

    private static double secondsToFirstAnswer(JarCommand command) {
        var start = System.nanoTime();
        try (var server = command.start()) {
            server.api().get("/v1/auth/me").expect(401);
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private void passwords(TestProject project, List<Response> accounts) throws InterruptedException {
        var key = project.publishableKey();
        var before = Floors.hashesPerSecond(TIME);
        var signIns = passwordLoad(
                project,
                accounts.stream()
                        .map(account -> Client.signingIn(key, account.text("user/email")))
                        .toList());
        var between = Floors.hashesPerSecond(TIME);
        var signUps = passwordLoad(
                project,
                Stream.generate(() -> Client.signingUp(key))
                        .limit(SIGN_IN_CLIENTS)
                        .toList());
        var after = Floors.hashesPerSecond(TIME);
        table.floor("raw hashes", new Figure((before + between) / 2, 0, 0));
        table.figure("sign in", signIns, (before + between) / 2);
        table.figure("sign up", signUps, (between + after) / 2);
    }

    private void requests(TestProject project, List<Response> accounts) throws IOException {
        var me = project.me(accounts.get(0).accessToken()).expect(200).body();
        Figure constant;
        try (var server = StaticServer.start(me.length())) {
            constant = load(server.port(), each(accounts, account -> Client.getting("/", account.accessToken())));
        }
        table.floor("constant JSON", constant);
        table.figure(
                "verify",
                load(
                        project,
                        each(accounts, account -> Client.getting("/v1/auth/token/verify", account.accessToken()))),
                constant.perSecond());
        table.figure(
                "me",
                load(project, each(accounts, account -> Client.getting("/v1/auth/me", account.accessToken()))),
                constant.perSecond());
        var updates = Floors.updates(
                vertx,
                folder.resolve("server/data"),
                UUID.fromString(project.id()),
                accounts.stream().map(Benchmark::session).toList(),
                WARM_UP,
                TIME);
        table.floor("bare UPDATE", updates);
        table.figure(
                "refresh",
                load(
                        project,
                        each(accounts, account -> Client.refreshing(project.publishableKey(), account.refreshToken()))),
                updates.perSecond());
    }

    private static List<Client> each(List<Response> accounts, Function<Response, Client> client) {
        return accounts.stream().map(client).toList();
    }

    private static UUID session(Response account) {
        var payload = new String(
                Base64.getUrlDecoder().decode(account.accessToken().split("\\.", 3)[1]), StandardCharsets.UTF_8);
        return UUID.fromString(payload.replaceAll(".*\"sid\":\"([^\"]+)\".*", "$1"));
    }

    private Figure load(TestProject project, List<Client> clients) {
        return load(project.api().base().getPort(), clients);
    }

    private Figure load(int port, List<Client> clients) {
        return Load.run(vertx, port, clients, WARM_UP, TIME);
    }

    private Figure passwordLoad(TestProject project, List<Client> clients) {
        return Load.run(vertx, project.api().base().getPort(), clients, PASSWORDS_WARM_UP, TIME);
    }

    /** The response time must not reveal whether an email has an account. */
    private void guesses(TestProject project, String knownEmail) {
        var known = new ArrayList<Double>();
        var unknown = new ArrayList<Double>();
        for (int i = 0; i < TRIES; i++) {
            known.add(guess(project, knownEmail));
            unknown.add(guess(project, TestServer.newEmail()));
        }
        table.line(
                "wrong password: median %.2f ms, unknown email: %.2f ms, ratio %.3f",
                median(known), median(unknown), median(unknown) / median(known));
        assertThat(median(unknown) / median(known)).isBetween(0.9, 1.1);
    }

    private static double guess(TestProject project, String email) {
        var call = project.api()
                .post("/v1/auth/signin")
                .key(project.publishableKey())
                .json(Map.of("email", email, "password", "a wrong password"));
        var start = System.nanoTime();
        call.expect(401);
        return (System.nanoTime() - start) / 1e6;
    }

    /** Nor may the time of requesting or trying a code. The order of known and unknown emails alternates. */
    private void codes(TestProject project, String path) {
        var known = new ArrayList<Double>();
        var unknown = new ArrayList<Double>();
        var accounts = accounts(project, TRIES);
        for (int i = 0; i < TRIES; i++) {
            var somebody = accounts.get(i).text("user/email");
            if (i % 2 == 0) {
                known.add(code(project, path, somebody));
                unknown.add(code(project, path, TestServer.newEmail()));
            } else {
                unknown.add(code(project, path, TestServer.newEmail()));
                known.add(code(project, path, somebody));
            }
        }
        table.line(
                "%s: median %.2f ms, unknown email: %.2f ms, ratio %.3f",
                path, median(known), median(unknown), median(unknown) / median(known));
        assertThat(median(unknown) / median(known)).isBetween(0.9, 1.1);
    }

    private static double code(TestProject project, String path, String email) {
        var call = project.post("/v1/auth/password/" + path)
                .json(Map.of("email", email, "code", "0000000000000", "password", "a new password"));
        LockSupport.parkNanos(BREATH.toNanos()); // until the mail of the previous request is sent
        var start = System.nanoTime();
        call.send();
        return (System.nanoTime() - start) / 1e6;
    }

    private void memory() throws IOException {
        try (var server = command("memory").java("-Xmx128m").start()) {
            var project = firstProject(server);
            var accounts = IntStream.range(0, SIGN_IN_CLIENTS)
                    .mapToObj(i -> project.signUpInVariantB())
                    .toList();
            IntStream.range(0, MIXED_REQUESTS).parallel().forEach(i -> mixed(project, accounts, i));
            table.line("resident after %d requests with -Xmx128m: %d MiB", MIXED_REQUESTS, residentMib(server));
            assertThat(server.output()).doesNotContain("OutOfMemoryError").doesNotContain(" ERROR ");
        }
    }

    /** One request in ten hashes a password. Only the first account signs in: its older sessions end, so no other call uses it. */
    private static void mixed(TestProject project, List<Response> accounts, int i) {
        var account = accounts.get(1 + i % (accounts.size() - 1));
        switch (i % 20) {
            case 0 -> project.signUp();
            case 1 -> project.signIn(accounts.get(0).text("user/email"));
            case 2, 3, 4, 5, 6, 7 -> project.me(account.accessToken()).expect(200);
            case 8, 9, 10, 11, 12, 13 ->
                project.api()
                        .post("/v1/auth/refresh")
                        .json(Map.of("refreshToken", account.refreshToken()))
                        .expect(200);
            default ->
                project.api()
                        .get("/v1/auth/token/verify")
                        .bearer(account.accessToken())
                        .expect(200);
        }
    }

    private static long residentMib(JarServer server) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                / 1024;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
