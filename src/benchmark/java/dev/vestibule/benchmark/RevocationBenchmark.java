package dev.vestibule.benchmark;

import dev.vestibule.fixture.ApiClient.Call;
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
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How soon another node of the same database refuses what one node has revoked, idle and busy. */
class RevocationBenchmark {
    private static final int REVOCATIONS = 200;
    private static final int CLIENTS = 64;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final Report report = new Report("revocation");
    private final Path folder;

    RevocationBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    /** A call that revokes something, and one that is accepted until then. */
    private record Revocation(Call revoking, Supplier<Call> use) {}

    @Test
    void figures() {
        try (var one = MeasuredServer.start(node("one"));
                var another = MeasuredServer.start(node("another")
                        .with("VESTIBULE_DATABASE_URL", one.database().url()))) {
            var project = one.firstProject();
            var there = another.through(project);
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

    /** A client of the authorization server ends what a person has granted it. */
    private void measureGrants(String when, TestProject here, TestProject there) {
        var email = here.signUp().text("user/email");
        var client = OauthBrowser.register(here, "spa", Map.of("idTokenAlgorithm", "ES256"))
                .text("clientId");
        measure("grant revoked, " + when, () -> {
            var code = new OauthBrowser(here).code(client, email, Map.of("scope", "openid"));
            var token = OauthBrowser.redeem(here, client, code, 200).text("access_token");
            return new Revocation(
                    here.api()
                            .post(OauthBrowser.issuerPath(here) + "/oauth/revoke")
                            .raw(
                                    "application/x-www-form-urlencoded",
                                    OauthBrowser.encode(Map.of("client_id", client, "token", token))),
                    () -> there.api()
                            .get(OauthBrowser.issuerPath(there) + "/oauth/userinfo")
                            .bearer(token));
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
            awaitStatus(200, revocation.use()); // the other node hears of a new key a little later, too
            revocation.revoking().expect(200);
            var answered = System.nanoTime();
            awaitStatus(401, revocation.use());
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

    private static void awaitStatus(int status, Supplier<Call> calls) {
        var start = System.nanoTime();
        while (calls.get().send().status() != status) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("not " + status + " within " + LIMIT);
            }
        }
    }
}
