package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Access tokens for an organization, and what ends them. */
@ExtendWith(WithServer.class)
class OrganizationTokensIT {
    private final TestServer server;
    private final TestProject project;
    private final OrganizationCalls calls;
    private final Response owner;
    private final String id;

    OrganizationTokensIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
        this.calls = new OrganizationCalls(server, project);
        this.owner = project.signUp();
        this.id = calls.create(owner, "Engines");
    }

    private Call choose(String accessToken, @Nullable String organization) {
        return project.api()
                .post("/v1/auth/token/organization")
                .bearer(accessToken)
                .json(Collections.singletonMap("organizationId", organization));
    }

    private String tokenOf(Response user) {
        return choose(user.accessToken(), id).expect(200).accessToken();
    }

    private static JsonNode claims(String accessToken) {
        return Jwt.parse(accessToken).claims();
    }

    @Test
    void aTokenSaysWhatItsUserMayDoInTheOrganization() {
        calls.set(Map.of("organizationRoles", Map.of("billing", List.of("invoices.write", "org.members.read"))));
        var member = calls.join(id, "billing");
        var issued = choose(member.accessToken(), id).expect(200);
        var claims = claims(issued.accessToken());
        assertThat(claims.path("org_id").asText()).isEqualTo(id);
        assertThat(claims.path("org_slug").asText()).isEqualTo("engines");
        assertThat(claims.path("org_role").asText()).isEqualTo("billing");
        assertThat(claims.path("org_permissions")).hasToString("[\"invoices.write\",\"org.members.read\"]");
        assertThat(claims.has("org_permissions_truncated")).isFalse();
        assertThat(issued.text("expiresIn")).isEqualTo("900");
        project.me(issued.accessToken()).expect(200);
        var verified = project.verify(issued.accessToken()).expect(200);
        for (var name : List.of("org_id", "org_slug", "org_role", "org_permissions")) {
            assertThat(verified.json().at("/payload/" + name)).isEqualTo(claims.get(name));
        }
        assertThat(claims(member.accessToken()).has("org_id")).isFalse();
    }

    private String revoked() {
        return project.manage("GET", "/v1/backend/revocations").expect(200).body();
    }

    /** As the verifiers compare it: up to the dot. */
    private static String tokenId(String accessToken) {
        return claims(accessToken).path("jti").asText().split("\\.", 2)[0];
    }

    @Test
    void backEndsThatVerifyOfflineLearnOfTheEndOfAMembershipAndOfARole() {
        var ada = calls.join(id, "admin");
        var bob = calls.join(id, "member");
        var asAdmin = tokenId(tokenOf(ada));
        var ofBob = tokenId(tokenOf(bob));
        assertThat(claims(bob.accessToken()).has("jti")).isFalse();
        assertThat(revoked()).doesNotContain(asAdmin, ofBob);
        calls.manage("PATCH", "/" + id + "/members/" + OrganizationCalls.id(ada))
                .json(Map.of("role", "member"))
                .expect(200);
        calls.manage("DELETE", "/" + id + "/members/" + OrganizationCalls.id(bob))
                .expect(200);
        var asMember = tokenId(tokenOf(ada));
        Eventually.until(
                "the feed has both",
                () -> revoked().contains(asAdmin) && revoked().contains(ofBob));
        assertThat(revoked())
                .doesNotContain(asMember, claims(ada.accessToken()).path("sid").asText());
        calls.manage("DELETE", "/" + id).expect(200);
        Eventually.until("an organization ends its tokens", () -> revoked().contains(asMember));
    }

    @Test
    void aRefreshKeepsTheOrganizationInBothVariants() {
        tokenOf(owner);
        var refreshed = project.refresh(owner.refreshToken()).expect(200);
        assertThat(claims(refreshed.accessToken()).path("org_id").asText()).isEqualTo(id);
        choose(refreshed.accessToken(), null).expect(200);
        assertThat(claims(project.refresh(refreshed.refreshToken()).expect(200).accessToken())
                        .has("org_id"))
                .isFalse();

        var inB = project.signUpInVariantB();
        calls.join(id, inB, "member");
        assertThat(choose(inB.accessToken(), id).expect(200).text("expiresIn")).isEqualTo("3600");
        assertThat(claims(project.refreshAccessToken(inB.refreshToken())
                                .expect(200)
                                .accessToken())
                        .path("org_role")
                        .asText())
                .isEqualTo("member");
    }

    @Test
    void manyRefreshesAtOnceKeepEachItsOwnOrganization() {
        var people =
                IntStream.range(0, 12).mapToObj(i -> calls.join(id, "member")).toList();
        people.subList(0, 6).forEach(this::tokenOf);
        var answers = Parallel.send(12, i -> project.refresh(people.get(i).refreshToken()));
        for (int i = 0; i < 12; i++) {
            assertThat(claims(answers.get(i).accessToken()).has("org_id")).isEqualTo(i < 6);
        }
    }

    @Test
    void onlyMembersGetTokens() {
        var stranger = project.signUp();
        var foreign = server.newProject().signUp();
        choose(stranger.accessToken(), id).expect(404);
        choose(foreign.accessToken(), id).expect(404);
        choose(owner.accessToken(), UUID.randomUUID().toString()).expect(404);
        for (var body : Arrays.asList("{}", "{\"organizationId\":1}", "{\"organizationId\":\"x\"}")) {
            assertThat(project.api()
                            .post("/v1/auth/token/organization")
                            .bearer(owner.accessToken())
                            .text(body)
                            .expect(422)
                            .failingFields())
                    .containsExactly("organizationId");
        }
    }

    @Test
    void aRemovedMembersTokenIsRefusedAtOnceOnEveryNodeAndTheSessionLives() {
        var member = calls.join(id, "member");
        var token = tokenOf(member);
        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.tickMillis(ZoneOffset.UTC))) {
            var there = project.at(other);
            there.me(token).expect(200);
            project.me(token).expect(200);
            calls.as(owner, "DELETE", "/" + id + "/members/" + OrganizationCalls.id(member))
                    .expect(200);
            there.me(token).expect(401);
            project.me(token).expect(401);
            project.verify(token).expect(401);
        }
        project.me(member.accessToken()).expect(200);
        choose(member.accessToken(), id).expect(404);
        var refreshed = project.refresh(member.refreshToken()).expect(200);
        assertThat(claims(refreshed.accessToken()).has("org_id")).isFalse();
    }

    @Test
    void anotherRoleEndsTheTokensOfTheLastOne() {
        var member = calls.join(id, "admin");
        var token = tokenOf(member);
        calls.as(owner, "PATCH", "/" + id + "/members/" + OrganizationCalls.id(member))
                .json(Map.of("role", "member"))
                .expect(200);
        project.me(token).expect(401);
        var refreshed = project.refresh(member.refreshToken()).expect(200);
        assertThat(claims(refreshed.accessToken()).path("org_role").asText()).isEqualTo("member");
        project.me(refreshed.accessToken()).expect(200);
    }

    @Test
    void leavingDeletingAndBeingDeletedEndTokens() {
        var leaver = calls.join(id, "member");
        var ofLeaver = tokenOf(leaver);
        var ofOwner = tokenOf(owner);
        calls.as(leaver, "POST", "/" + id + "/leave").expect(200);
        project.me(ofLeaver).expect(401);
        calls.as(owner, "DELETE", "/" + id).expect(200);
        project.me(ofOwner).expect(401);
        project.me(owner.accessToken()).expect(200);
        project.refresh(owner.refreshToken()).expect(200);
    }

    /** They share one statement. */
    @Test
    void tokensWithAndWithoutAnOrganizationAreCheckedTogether() {
        var member = calls.join(id, "member");
        var removed = calls.join(id, "member");
        var tokens = List.of(tokenOf(member), tokenOf(removed), owner.accessToken(), tokenOf(owner));
        calls.as(removed, "POST", "/" + id + "/leave").expect(200);
        var answers = Parallel.send(80, i -> project.me(tokens.get(i % 4)));
        for (int i = 0; i < 80; i++) {
            assertThat(answers.get(i).status()).as("token %d", i % 4).isEqualTo(i % 4 == 1 ? 401 : 200);
        }
    }

    @Test
    void permissionsThatDoNotFitAreLeftOutAsAWhole() {
        var many =
                IntStream.range(0, 60).mapToObj(i -> "a.permission.number." + i).toList();
        calls.set(Map.of("organizationRoles", Map.of("much", many)));
        var claims = claims(tokenOf(calls.join(id, "much")));
        assertThat(claims.has("org_permissions")).isFalse();
        assertThat(claims.path("org_permissions_truncated").asBoolean()).isTrue();
        assertThat(claims.path("org_role").asText()).isEqualTo("much");
    }

    @Test
    void templatesReadTheOrganizationAndCannotSayAnother() {
        var claims = List.of(
                Map.of("key", "tenant", "source", "organization.id"),
                Map.of("key", "rank", "source", "organization.role"));
        project.manage("POST", "/v1/backend/jwt-templates")
                .json(Map.of("name", "tenant", "claims", claims))
                .expect(201);
        var issued = claims(tokenOf(owner));
        assertThat(issued.path("tenant").asText()).isEqualTo(id);
        assertThat(issued.path("rank").asText()).isEqualTo("owner");
        assertThat(claims(project.signUp().accessToken()).has("tenant")).isFalse();
        for (var reserved : List.of("org_id", "org_role", "ORG_PERMISSIONS", "org_permissions_truncated")) {
            project.manage("POST", "/v1/backend/jwt-templates")
                    .json(Map.of("name", "x", "claims", List.of(Map.of("key", reserved, "value", "owner"))))
                    .expect(422);
        }
    }
}
