package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.user.organization.ScimCalls;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How soon another node of the same database refuses what one node has revoked, idle and busy. */
class RevocationBenchmark {
    private static final int REVOCATIONS = Integer.getInteger("revocations", 200);
    private static final int CLIENTS = 64;
    private static final String API = "https://orders.example.com/";
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("revocation");
    private final int port = FreePort.find();
    private Asker api = new Asker("", "");
    private final Path folder;

    RevocationBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** An API that asks about tokens. */
    private record Asker(String id, String secret) {
        static Asker of(TestProject project) {
            project.asOwner("POST", "/oauth-apis")
                    .json(Map.of("uri", API, "name", "Orders", "scopes", List.of(Map.of("name", "read"))))
                    .expect(201);
            var client = OauthBrowser.register(project, "api", Map.of("resource", API));
            return new Asker(client.text("clientId"), client.text("clientSecret"));
        }
    }

    /** A call that revokes something, and one that is accepted until then. */
    private record Revocation(Call revoking, Supplier<Call> use) {}

    @Test
    void figures() {
        try (var one = MeasuredServer.start(node("one").with("VESTIBULE_HTTP_PORT", Integer.toString(port)));
                var another = MeasuredServer.start(node("another")
                        .with("VESTIBULE_DATABASE_URL", one.database().url()))) {
            var project = one.firstProject();
            var there = another.through(project);
            api = Asker.of(project);
            measure("idle", project, there);
            measureGrants("idle", project, there);
            measureMembers("idle", project, there);
            measureDeprovisioning("idle", one.database().sql(), project, there);
            var clients = Account.signUp(project, CLIENTS).stream()
                    .map(Client::verifying)
                    .toList();
            var load = ClosedLoad.of(vertx, another.port(), clients);
            measure("while the other node verifies as much as it can", project, there);
            measureGrants("while the other node verifies as much as it can", project, there);
            measureMembers("while the other node verifies as much as it can", project, there);
            measureDeprovisioning(
                    "while the other node verifies as much as it can",
                    one.database().sql(),
                    project,
                    there);
            load.stop();
        }
        vertx.close().await();
        report.write();
    }

    private JarCommand node(String name) {
        return MeasuredServer.cheap(folder.resolve(name))
                .with("VESTIBULE_PUBLIC_URL", "http://localhost:" + port)
                .with("VESTIBULE_SECRET", "the master secret of both of the nodes");
    }

    private void measure(String when, TestProject here, TestProject there) {
        measure("sign out, " + when, () -> {
            var token = here.signUp().accessToken();
            return new Revocation(here.signOut(token), () -> there.verify(token));
        });
        measure("key revoked, " + when, () -> {
            var key = here.asOwner("POST", "/keys")
                    .json(Map.of("kind", "publishable"))
                    .expect(201);
            return new Revocation(
                    here.asOwner("DELETE", "/keys/" + key.text("id")),
                    () -> there.api().get("/v1/auth/branding").key(key.text("key")));
        });
    }

    /** What ends the tokens of clients: all are asked about by the API that they are for, and each at userinfo too. */
    private void measureGrants(String when, TestProject here, TestProject there) {
        var app = OauthBrowser.register(here, "spa", Map.of("idTokenAlgorithm", "ES256"))
                .text("clientId");
        measureGrants(
                "grant revoked, " + when,
                here,
                there,
                app,
                tokens -> here.api()
                        .post(OauthBrowser.issuerPath(here) + "/oauth/revoke")
                        .raw(
                                "application/x-www-form-urlencoded",
                                OauthBrowser.encode(Map.of("client_id", app, "token", tokens.token()))));
        measureGrants(
                "session ended, " + when,
                here,
                there,
                app,
                tokens -> here.manage("DELETE", "/v1/dashboard/users/" + tokens.user() + "/sessions"));
        measureGrants(
                "user banned, " + when,
                here,
                there,
                app,
                tokens -> here.manage("PATCH", "/v1/dashboard/users/" + tokens.user() + "/ban"));
        measureGrants(
                "client deleted, " + when,
                here,
                there,
                "",
                tokens -> here.asOwner("DELETE", "/oauth-clients/" + tokens.client()));
    }

    private record Tokens(String user, String client, String token) {}

    /** For one client, or for a new one each time if none is named. */
    private void measureGrants(
            String what, TestProject here, TestProject there, String client, Function<Tokens, Call> revoking) {
        Supplier<Tokens> next = () -> {
            var user = here.signUp();
            var app = client.isEmpty()
                    ? OauthBrowser.register(here, "spa", Map.of("idTokenAlgorithm", "ES256"))
                            .text("clientId")
                    : client;
            var code = new OauthBrowser(here)
                    .code(app, user.text("user/email"), Map.of("scope", "openid read", "resource", API));
            return new Tokens(
                    user.text("user/id"),
                    app,
                    OauthBrowser.redeem(here, app, code, 200).text("access_token"));
        };
        measure(what + ", at userinfo", () -> {
            var tokens = next.get();
            return new Revocation(
                    revoking.apply(tokens),
                    () -> there.api()
                            .get(OauthBrowser.issuerPath(there) + "/oauth/userinfo")
                            .bearer(tokens.token()));
        });
        measure(what + ", at introspection", () -> {
            var tokens = next.get();
            var question = Map.of("client_id", api.id(), "client_secret", api.secret(), "token", tokens.token());
            return new Revocation(
                    revoking.apply(tokens),
                    () -> there.api()
                            .post(OauthBrowser.issuerPath(there) + "/oauth/introspect")
                            .raw("application/x-www-form-urlencoded", OauthBrowser.encode(question)));
        });
    }

    /** An organization loses a member, whose token for it ends and whose session does not. */
    private void measureMembers(String when, TestProject here, TestProject there) {
        var organization = here.manage("POST", "/v1/dashboard/organizations")
                .json(Map.of("name", "Engines", "createdBy", here.signUp().text("user/id")))
                .expect(201)
                .text("id");
        var members = "/v1/dashboard/organizations/" + organization + "/members";
        measure("member removed, " + when, () -> {
            var user = here.signUp();
            var id = user.text("user/id");
            here.manage("POST", members).json(Map.of("userId", id)).expect(201);
            var token = here.api()
                    .post("/v1/auth/token/organization")
                    .bearer(user.accessToken())
                    .json(Map.of("organizationId", organization))
                    .expect(200)
                    .accessToken();
            return new Revocation(here.manage("DELETE", members + "/" + id), () -> there.verify(token));
        });
    }

    /** The directory of an organization deactivates a person. */
    private void measureDeprovisioning(String when, Sql sql, TestProject here, TestProject there) {
        var scim = ScimCalls.start(sql, here);
        var number = new AtomicInteger();
        measure("deactivated by SCIM, " + when, () -> {
            var name = "person" + number.incrementAndGet();
            var token = here.signUp(scim.email(name)).accessToken();
            sql.update("UPDATE users SET email_verified = true WHERE email = ?", scim.email(name));
            return new Revocation(scim.activate(scim.user(name), false), () -> there.verify(token));
        });
    }

    /** From the answer of the revocation, which may have been seen before then. */
    private void measure(String what, Supplier<Revocation> revocations) {
        var histogram = new Histogram(3);
        for (int i = 0; i < REVOCATIONS; i++) {
            var revocation = revocations.get();
            await(true, revocation.use()); // the other node hears of a new key a little later, too
            assertThat(revocation.revoking().send().status()).isBetween(200, 204);
            var answered = System.nanoTime();
            await(false, revocation.use());
            histogram.recordValue(System.nanoTime() - answered);
        }
        report.line(
                "%s: median %.1f ms, p99 %.1f ms (bar 50), longest %.1f ms",
                what,
                histogram.getValueAtPercentile(50) / 1e6,
                histogram.getValueAtPercentile(99) / 1e6,
                histogram.getMaxValue() / 1e6);
        report.add(what, List.of(histogram.getValueAtPercentile(50) / 1e6, histogram.getValueAtPercentile(99) / 1e6));
    }

    /** Until a call is accepted, or not any more, which an introspection says with a 200 too. */
    private static void await(boolean accepted, Supplier<Call> calls) {
        var start = System.nanoTime();
        while (isAccepted(calls.get().send()) != accepted) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("not " + (accepted ? "accepted" : "refused") + " within " + LIMIT);
            }
        }
    }

    private static boolean isAccepted(Response response) {
        return response.status() == 200 && !response.body().contains("\"active\":false");
    }
}
