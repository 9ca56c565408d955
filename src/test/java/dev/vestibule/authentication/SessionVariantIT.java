package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session belongs to the variant of the API that opened it, so that nobody can get around token rotation. */
@ExtendWith(WithServer.class)
class SessionVariantIT {
    private static final String SYSTEM_PROJECT = "00000000-0000-7000-8000-000000000000";

    private final TestDatabase database;
    private final TestServer server;
    private final TestProject project;

    SessionVariantIT(TestDatabase database, TestServer server) {
        this.database = database;
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void aRefreshTokenOfVariantAIsRefusedByVariantBAndUnharmed() {
        var email = TestServer.newEmail();

        for (var session : List.of(project.signUp(email), project.signIn(email))) {
            var body = Map.of("refreshToken", session.refreshToken());
            project.refreshAccessToken(session.refreshToken()).expect(401);
            project.post("/v1/auth/refresh").json(body).expect(401);

            project.me(session.accessToken()).expect(200);
            project.refresh(session.refreshToken()).expect(200);
        }
    }

    @Test
    void aRefreshTokenOfVariantBIsRefusedByVariantAAndUnharmed() {
        var email = TestServer.newEmail();

        for (var session : List.of(project.signUpInVariantB(email), project.signInInVariantB(email))) {
            project.refresh(session.refreshToken()).expect(401);
            refreshByProjectId("/v1/auth/token/refresh", project.id(), session.refreshToken(), 401);

            project.me(session.accessToken()).expect(200);
            project.refreshAccessToken(session.refreshToken()).expect(200);
        }
    }

    /** A thief who cannot use the stolen token at the other endpoint has to use it where its reuse is noticed. */
    @Test
    void aStolenTokenCannotBeUsedUnnoticed() {
        var clock = new TestClock();
        try (var node = TestServer.start(database, Map.of(), clock)) {
            var there = node.newProject();
            var stolen = there.signUp().refreshToken();
            var owners = there.refresh(stolen).expect(200);

            there.refreshAccessToken(stolen).expect(401);
            there.refreshAccessToken(owners.refreshToken()).expect(401);
            clock.advance(Duration.ofSeconds(11));
            there.refresh(stolen).expect(401);

            there.me(owners.accessToken()).expect(401);
            there.refresh(owners.refreshToken()).expect(401);
        }
    }

    @Test
    void aProjectIdInTheBodyMakesItVariantBEvenWithAKey() {
        var signedUp = project.post("/v1/auth/signup")
                .json(Map.of(
                        "projectId", project.id(), "email", TestServer.newEmail(), "password", TestProject.PASSWORD))
                .expect(201);

        project.refresh(signedUp.refreshToken()).expect(401);
        project.refreshAccessToken(signedUp.refreshToken()).expect(200);
    }

    @Test
    void aSessionOpenedWithACodeBelongsToTheVariantOfTheRequest() {
        try (var mail = WithMail.start(database)) {
            var strict = mail.strictProject();
            var ann = TestServer.newEmail();
            var bob = TestServer.newEmail();

            var inA = WithMail.verify(strict, ann, mail.signUp(strict, ann), 200);
            var inB = strict.api()
                    .post("/v1/auth/verify-email")
                    .json(Map.of("projectId", strict.id(), "email", bob, "code", mail.signUp(strict, bob)))
                    .expect(200);

            strict.refreshAccessToken(inA.refreshToken()).expect(401);
            strict.refresh(inA.refreshToken()).expect(200);
            strict.refresh(inB.refreshToken()).expect(401);
            strict.refreshAccessToken(inB.refreshToken()).expect(200);
        }
    }

    @Test
    void theFirstRefreshDecidesAboutASessionOfAnImpersonator() {
        var inA = ofAnImpersonator();
        var inB = ofAnImpersonator();

        var replacement = project.refresh(inA.refreshToken()).expect(200).refreshToken();
        project.refreshAccessToken(inB.refreshToken()).expect(200);

        project.refreshAccessToken(replacement).expect(401);
        project.refresh(inB.refreshToken()).expect(401);
        project.refresh(replacement).expect(200);
        project.refreshAccessToken(inB.refreshToken()).expect(200);
    }

    @Test
    void ofConcurrentFirstRefreshesOneVariantWins() {
        for (int round = 0; round < 5; round++) {
            var token = ofAnImpersonator().refreshToken();

            var answers = Parallel.send(
                    8, number -> number % 2 == 0 ? project.refresh(token) : project.refreshAccessToken(token));

            var inA = answers.get(0).status();
            var inB = answers.get(1).status();
            assertThat(List.of(inA, inB)).containsExactlyInAnyOrder(200, 401);
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).status()).isEqualTo(i % 2 == 0 ? inA : inB);
            }
        }
    }

    /** Otherwise a thief who refreshes first could choose the endpoint that never replaces the token. */
    @Test
    void aSessionOfADashboardUserIsOfVariantA() {
        var token = newDashboardSession();

        refreshByProjectId("/v1/auth/refresh", SYSTEM_PROJECT, token, 401);
        refreshByProjectId("/v1/auth/token/refresh", SYSTEM_PROJECT, token, 200);
    }

    private String newDashboardSession() {
        return server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", TestServer.newEmail(), "password", "a dashboard password"))
                .expect(201)
                .refreshToken();
    }

    private Response refreshByProjectId(String path, String projectId, String refreshToken, int status) {
        return server.api()
                .post(path)
                .json(Map.of("projectId", projectId, "refreshToken", refreshToken))
                .expect(status);
    }

    private Response ofAnImpersonator() {
        var session = project.signUp();
        server.sql()
                .update(
                        "UPDATE sessions SET variant = NULL, impersonator_id = user_id, ends_at = expires_at"
                                + " WHERE project_id = ?::uuid AND user_id = ?::uuid",
                        project.id(),
                        session.text("user/id"));
        return session;
    }
}
