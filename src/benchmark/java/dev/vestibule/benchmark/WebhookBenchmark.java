package dev.vestibule.benchmark;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpResponseExpectation;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long deliveries take and what they cost; the package says how to run it. */
class WebhookBenchmark {
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Turns TURNS = new Turns(4, Duration.ofSeconds(3), Duration.ofSeconds(12));
    private static final int SIGN_UP_CLIENTS = 16;
    private static final int DELIVERIES = 50_000;
    private static final int ROUNDS = 5; // the last one counts
    private static final int IN_FLIGHT = 20; // the default of webhooks.inFlightPerEndpoint
    private static final int ENDPOINTS = 5;
    private static final int CHANGES = 200;
    private static final Duration POLL_PAUSE = Duration.ofMillis(50);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("webhooks");
    private final Path folder;

    WebhookBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() throws Exception {
        var command = MeasuredServer.command(folder).with("VESTIBULE_WEBHOOKS_ALLOW_PRIVATE_TARGETS", "true");
        try (var server = MeasuredServer.start(command);
                var receiver = StaticServer.start(20)) {
            var project = server.firstProject();
            delays(project);
            throughput(server, project, receiver);
            signUps(server, project, receiver);
        }
        vertx.close().await();
        report.write();
    }

    /** Measures from before a request that changes something until the receiver has the whole event. */
    private void delays(TestProject project) throws InterruptedException {
        var arrivals = new LinkedBlockingQueue<Long>();
        try (var receiver = TestReceiver.start()) {
            receiver.answer("/", request -> {
                arrivals.add(System.nanoTime());
                request.response().end();
            });
            var token = project.signUp().accessToken();
            var webhook = subscribe(project, receiver.url("/"), "user.updated");
            var answers = new ArrayList<Double>();
            var delays = new ArrayList<Double>();
            for (int i = 0; i < CHANGES; i++) {
                LockSupport.parkNanos(POLL_PAUSE.toNanos());
                var start = System.nanoTime();
                project.api()
                        .patch("/v1/auth/me")
                        .bearer(token)
                        .json(Map.of("displayName", "Name " + i))
                        .expect(200);
                answers.add((System.nanoTime() - start) / 1e6);
                var arrival = arrivals.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                delays.add(((arrival == null ? Long.MAX_VALUE : arrival) - start) / 1e6);
            }
            report.line(
                    "change to delivery, idle: median %.2f ms, p99 %.2f ms; to its answer: median %.2f ms",
                    percentile(delays, 50), percentile(delays, 99), percentile(answers, 50));
            project.manage("DELETE", "/v1/dashboard/webhooks/" + webhook).expect(200);
        }
    }

    private void throughput(MeasuredServer server, TestProject project, StaticServer receiver) throws Exception {
        var webhook = subscribe(project, "http://127.0.0.1:" + receiver.port() + "/", "*");
        setStatus(project, webhook, "disabled");
        try (var waiting = WaitingDeliveries.in(server.database())) {
            var bare = rounds(() -> bare(receiver, waiting.payload()));
            var delivered = rounds(() -> deliver(project, waiting, webhook));
            report.line("from cold: bare %s; deliveries %s", bare, delivered);
            report.fact("barePostsPerSecond", last(bare));
            report.fact("deliveriesPerSecond", last(delivered));
            report.fact("deliveriesComparedToBarePosts", last(delivered) / last(bare));
        }
        project.manage("DELETE", "/v1/dashboard/webhooks/" + webhook).expect(200);
    }

    /** Several rounds, so that the measured code is compiled in the last one; both sides get the same number. */
    private static List<Double> rounds(Callable<Double> round) throws Exception {
        var figures = new ArrayList<Double>();
        for (int i = 0; i < ROUNDS; i++) {
            figures.add(Math.rint(round.call()));
        }
        return figures;
    }

    private static double last(List<Double> figures) {
        return figures.get(figures.size() - 1);
    }

    private static UUID subscribe(TestProject project, String url, String events) {
        return UUID.fromString(project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", url, "events", List.of(events)))
                .expect(201)
                .text("id"));
    }

    /** Requests in a second by a client that does nothing else. */
    private double bare(StaticServer receiver, String payload) {
        var client = WebClient.create(vertx, new WebClientOptions().setKeepAlive(true));
        var left = new AtomicInteger(DELIVERIES);
        var body = Buffer.buffer(payload);
        var start = System.nanoTime();
        Future.all(IntStream.range(0, IN_FLIGHT)
                        .mapToObj(i -> post(client, receiver.port(), body, left))
                        .toList())
                .await();
        client.close();
        return DELIVERIES * 1e9 / (System.nanoTime() - start);
    }

    private static Future<Void> post(WebClient client, int port, Buffer body, AtomicInteger left) {
        return left.getAndDecrement() <= 0
                ? Future.succeededFuture()
                : client.post(port, "127.0.0.1", "/")
                        .putHeader("content-type", "application/json")
                        .sendBuffer(body)
                        .expecting(HttpResponseExpectation.SC_OK)
                        .compose(response -> post(client, port, body, left));
    }

    /** Deliveries in a second, from the moment that the endpoint is active. */
    private static double deliver(TestProject project, WaitingDeliveries waiting, UUID webhook) throws SQLException {
        waiting.add(UUID.fromString(project.id()), webhook, DELIVERIES);
        var start = System.nanoTime();
        setStatus(project, webhook, "active");
        while (waiting.any()) {
            LockSupport.parkNanos(POLL_PAUSE.toNanos());
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("deliveries do not end");
            }
        }
        var perSecond = DELIVERIES * 1e9 / (System.nanoTime() - start);
        setStatus(project, webhook, "disabled");
        return perSecond;
    }

    /** What an event for some endpoints costs a sign up. */
    private void signUps(MeasuredServer server, TestProject project, StaticServer receiver) {
        var endpoints = Stream.generate(() -> subscribe(project, "http://127.0.0.1:" + receiver.port() + "/", "*"))
                .limit(ENDPOINTS)
                .toList();
        var without = signUps("sign up", server, project, endpoints, "disabled");
        var with = signUps("sign up with endpoints", server, project, endpoints, "active");
        Turns.warmUp(List.of(without), WARM_UP);
        var results = TURNS.measure(List.of(without, with));
        report.header();
        report.figure(without.name(), SIGN_UP_CLIENTS, results);
        report.figure(with.name(), SIGN_UP_CLIENTS, results);
    }

    private Line signUps(String name, MeasuredServer server, TestProject project, List<UUID> endpoints, String status) {
        var clients = Stream.generate(() -> Client.signingUp(project.publishableKey()))
                .limit(SIGN_UP_CLIENTS)
                .toList();
        return new Line(name, SIGN_UP_CLIENTS, server.clock(), () -> {
            endpoints.forEach(endpoint -> setStatus(project, endpoint, status));
            return ClosedLoad.of(vertx, server.port(), clients);
        });
    }

    private static void setStatus(TestProject project, UUID webhook, String status) {
        project.manage("PATCH", "/v1/dashboard/webhooks/" + webhook)
                .json(Map.of("status", status))
                .expect(200);
    }

    private static double percentile(List<Double> values, int percent) {
        return values.stream()
                .sorted()
                .skip((long) values.size() * percent / 100)
                .findFirst()
                .orElseThrow();
    }
}
