package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestDns;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Domains that the DNS proves, and what they do for users. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrganizationDomainsIT {
    private final TestDns dns = TestDns.start();
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private OrganizationCalls calls;
    private Response owner;
    private String id = "";
    private String domain = "";

    OrganizationDomainsIT(TestDatabase database) {
        server = TestServer.start(
                database,
                Map.of(
                        "VESTIBULE_DOMAINS_DNS_HOST",
                        "127.0.0.1",
                        "VESTIBULE_DOMAINS_DNS_PORT",
                        String.valueOf(dns.port()),
                        "VESTIBULE_SESSIONS_SWEEP_SECONDS",
                        "1"),
                clock);
    }

    @AfterAll
    void stop() {
        server.close();
        dns.close();
    }

    @BeforeEach
    void newOrganization() {
        project = server.newProject();
        calls = new OrganizationCalls(server, project);
        owner = project.signUp("owner@" + UUID.randomUUID() + ".example");
        id = calls.create(owner, "Engines");
        domain = UUID.randomUUID() + ".example.com";
    }

    private Response add(String organization, Response who, String policy) {
        return calls.as(who, "POST", "/" + organization + "/domains")
                .json(Map.of("domain", domain, "policy", policy))
                .expect(201);
    }

    private void publish(Response added) {
        dns.put(added.text("record/name"), added.text("record/value"));
    }

    private String path(Response added) {
        return "/" + added.text("organizationId") + "/domains/" + added.text("id");
    }

    private Response proven(String policy) {
        var added = add(id, owner, policy);
        publish(added);
        calls.as(owner, "POST", path(added) + "/verify").expect(200);
        return added;
    }

    private Response colleague(String name) {
        var email = name + "@" + domain;
        var user = project.signUp(email);
        server.proveEmail(email);
        return user;
    }

    private String status() {
        return calls.as(owner, "GET", "/" + id + "/domains").expect(200).text("0/status");
    }

    @Test
    void aTextRecordProvesADomain() {
        var added = add(id, owner, "none");
        assertThat(added.text("record/name")).isEqualTo("_vestibule-challenge." + domain);
        assertThat(status()).isEqualTo("pending");
        assertThat(calls.as(owner, "POST", path(added) + "/verify").expect(409).text("code"))
                .isEqualTo("domain_not_proven");
        dns.put(added.text("record/name"), "vestibule-domain-verification=something else");
        calls.as(owner, "POST", path(added) + "/verify").expect(409);
        publish(added);
        assertThat(calls.as(owner, "POST", path(added) + "/verify").expect(200).text("status"))
                .isEqualTo("verified");
        assertThat(calls.audited(id)).endsWith("org.domain.added", "org.domain.verified");
    }

    @Test
    void aDomainBelongsToOneOrganizationOfAProject() {
        proven("none");
        var second = calls.create(owner, "Second");
        var again = add(second, owner, "join");
        publish(again);
        assertThat(calls.as(owner, "POST", path(again) + "/verify").expect(409).text("code"))
                .isEqualTo("name_taken");
        calls.as(owner, "POST", "/" + second + "/domains")
                .json(Map.of("domain", domain.toUpperCase(Locale.ROOT)))
                .expect(409);
    }

    @Test
    void anUnprovenDomainDoesNothingForAnybody() {
        add(id, owner, "join");
        var user = colleague("ada");
        assertThat(calls.as(user, "GET", "").expect(200).text("total")).isEqualTo("0");
        assertThat(calls.as(user, "GET", "/suggestions").expect(200).json()).isEmpty();
        calls.as(user, "POST", "/" + id + "/join").expect(404);
    }

    @Test
    void aUserWithAProvenEmailOfTheDomainIsToldAndCanJoin() {
        proven("suggest");
        var user = colleague("ada");
        var suggested = calls.as(user, "GET", "/suggestions").expect(200);
        assertThat(suggested.text("0/id")).isEqualTo(id);
        assertThat(calls.as(user, "GET", "").expect(200).text("total")).isEqualTo("0");
        assertThat(calls.as(user, "POST", "/" + id + "/join").expect(200).text("role"))
                .isEqualTo("member");
        assertThat(calls.as(user, "GET", "/suggestions").expect(200).json()).isEmpty();
        calls.as(user, "POST", "/" + id + "/join").expect(404);

        var unproved = project.signUp("eve@" + domain);
        var elsewhere = project.signUp("eve@sub." + domain);
        server.proveEmail("eve@sub." + domain);
        for (var other : List.of(unproved, elsewhere)) {
            assertThat(calls.as(other, "GET", "/suggestions").expect(200).json())
                    .isEmpty();
            calls.as(other, "POST", "/" + id + "/join").expect(404);
        }
    }

    @Test
    void aDomainWhosePolicyIsJoinTakesItsUsersInWhileThereIsRoom() {
        calls.as(owner, "PATCH", "/" + id).json(Map.of("maxMembers", 2)).expect(200);
        proven("join");
        var ada = colleague("ada");
        var bob = colleague("bob");
        assertThat(calls.as(ada, "GET", "").expect(200).text("data/0/id")).isEqualTo(id);
        assertThat(calls.as(bob, "GET", "").expect(200).text("total")).isEqualTo("0");
        assertThat(calls.roles(id)).containsExactly("owner", "member");
    }

    @Test
    void whoWasRemovedComesBackOnlyIfSomebodyAddsThem() {
        proven("join");
        var ada = colleague("ada");
        assertThat(calls.as(ada, "GET", "").expect(200).text("total")).isEqualTo("1");
        calls.as(ada, "POST", "/" + id + "/leave").expect(200);
        assertThat(calls.as(ada, "GET", "").expect(200).text("total")).isEqualTo("1");
        calls.as(owner, "DELETE", "/" + id + "/members/" + OrganizationCalls.id(ada))
                .expect(200);
        assertThat(calls.as(ada, "GET", "").expect(200).text("total")).isEqualTo("0");
        assertThat(calls.as(ada, "GET", "/suggestions").expect(200).json()).isEmpty();
        calls.as(ada, "POST", "/" + id + "/join").expect(404);
        calls.join(id, ada, "member");
        calls.as(ada, "POST", "/" + id + "/leave").expect(200);
        calls.as(ada, "POST", "/" + id + "/join").expect(200);
    }

    @Test
    void aPolicyOfNoneLetsNobodyIn() {
        var added = proven("join");
        calls.as(owner, "PATCH", path(added)).json(Map.of("policy", "none")).expect(200);
        assertThat(calls.as(colleague("ada"), "GET", "").expect(200).text("total"))
                .isEqualTo("0");
    }

    @Test
    void aLostRecordWarnsForAWeekAndThenStopsJoining() {
        var added = proven("join");
        dns.remove(added.text("record/name"));
        clock.advance(Duration.ofDays(1));
        owner = project.signIn(owner.text("user/email"));
        Eventually.until("it fails", () -> status().equals("failing"));
        assertThat(calls.as(colleague("ada"), "GET", "").expect(200).text("total"))
                .isEqualTo("1");
        clock.advance(Duration.ofDays(8));
        owner = project.signIn(owner.text("user/email"));
        Eventually.until("it is lost", () -> status().equals("pending"));
        assertThat(calls.as(colleague("bob"), "GET", "").expect(200).text("total"))
                .isEqualTo("0");
        assertThat(calls.audited(id)).contains("org.domain.failing", "org.domain.lost");
    }

    @Test
    void aRecordThatIsBackEndsTheWarning() {
        var added = proven("join");
        dns.remove(added.text("record/name"));
        clock.advance(Duration.ofDays(1));
        owner = project.signIn(owner.text("user/email"));
        Eventually.until("it fails", () -> status().equals("failing"));
        publish(added);
        clock.advance(Duration.ofDays(1));
        owner = project.signIn(owner.text("user/email"));
        Eventually.until("it is fine", () -> status().equals("verified"));
    }

    @Test
    void onlyWhoHoldsThePermissionManagesDomains() {
        var added = proven("none");
        var member = calls.join(id, "member");
        var stranger = project.signUp();
        for (var path : List.of("/" + id + "/domains", path(added) + "/verify")) {
            calls.as(member, "POST", path).json(Map.of("domain", "example.net")).expect(403);
            calls.as(stranger, "POST", path)
                    .json(Map.of("domain", "example.net"))
                    .expect(404);
        }
        calls.as(member, "GET", "/" + id + "/domains").expect(403);
        calls.as(member, "PATCH", path(added)).json(Map.of("policy", "join")).expect(403);
        calls.as(member, "DELETE", path(added)).expect(403);
        var elsewhere = server.newProject();
        elsewhere
                .manage(
                        "GET",
                        "/v1/dashboard"
                                + path(added)
                                        .replaceFirst("^", "/organizations")
                                        .replaceAll("/[^/]+$", ""))
                .expect(404);
        assertThat(project.manage("GET", "/v1/dashboard/organizations/" + id + "/domains")
                        .expect(200)
                        .text("0/status"))
                .isEqualTo("verified");
        calls.as(owner, "DELETE", path(added)).expect(200);
        calls.as(owner, "DELETE", path(added)).expect(404);
    }

    @Test
    void aDomainThatCannotBeTheirOwnIsRefused() {
        for (var odd : List.of(
                "",
                "com",
                "co.uk",
                "localhost",
                "127.0.0.1",
                "a b.com",
                "a\u0000.com",
                "https://a.com",
                "-a.com",
                "a..com",
                "x@y.com",
                "a.com/",
                "*.a.com",
                "a".repeat(3000))) {
            assertThat(calls.as(owner, "POST", "/" + id + "/domains")
                            .json(Map.of("domain", odd))
                            .expect(422)
                            .failingFields())
                    .as(odd)
                    .containsExactly("domain");
        }
        for (int i = 0; i < 20; i++) {
            calls.as(owner, "POST", "/" + id + "/domains")
                    .json(Map.of("domain", i + "." + domain))
                    .expect(201);
        }
        assertThat(calls.as(owner, "POST", "/" + id + "/domains")
                        .json(Map.of("domain", domain))
                        .expect(409)
                        .text("code"))
                .isEqualTo("limit_reached");
    }
}
