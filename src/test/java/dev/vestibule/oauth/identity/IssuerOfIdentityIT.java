package dev.vestibule.oauth.identity;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.unverified;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A project points {@code oidc} to another issuer, where the same subject is another person. */
@ExtendWith(WithProvider.class)
class IssuerOfIdentityIT {
    private final OauthWorld world;
    private final OauthProject app;
    private final String subject = newSubject();
    private final String email = TestServer.newEmail();

    IssuerOfIdentityIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private void pointToAnotherIssuer() {
        app.setUp(Map.of("issuer", world.provider().newIssuer()));
    }

    private String signIn(Map<String, ?> claims) {
        return app.signIn(subject, claims).expect(200).text("user/id");
    }

    @Test
    void anotherIssuerNeverOpensTheAccountsOfThePreviousOne() {
        var before = signIn(verified(email));
        pointToAnotherIssuer();
        var other = signIn(verified(TestServer.newEmail()));

        assertThat(other).isNotEqualTo(before);
        app.setUp(Map.of());
        assertThat(signIn(verified(email))).as("back at the first issuer").isEqualTo(before);
    }

    @Test
    void anUnverifiedEmailOfTheNewIssuerOpensNothingEither() {
        signIn(verified(email));
        pointToAnotherIssuer();
        app.signIn(subject, unverified(email)).expect(409);
    }

    @Test
    void theOwnerOfTheEmailMovesToTheNewIssuerAndHasOneIdentityThere() {
        var before = signIn(verified(email));
        pointToAnotherIssuer();
        assertThat(signIn(verified(email))).isEqualTo(before);
        assertThat(signIn(unverified(TestServer.newEmail())))
                .as("by the subject now")
                .isEqualTo(before);

        assertThat(app.detail(before).get("providers")).hasToString("[\"oidc\"]");
        assertThat(world.server().sql().count("SELECT count(*) FROM identities WHERE user_id = ?::uuid", before))
                .isEqualTo(1);
    }

    @Test
    void providersOfOneProjectNeverOpenEachOthersAccounts() {
        var acme = app.andProvider("oidc-acme");
        var first = signIn(verified(email));
        var second = acme.signIn(subject, verified(TestServer.newEmail()))
                .expect(200)
                .text("user/id");

        assertThat(second).isNotEqualTo(first);
        assertThat(signIn(unverified(TestServer.newEmail()))).isEqualTo(first);
        assertThat(acme.signIn(subject, unverified(TestServer.newEmail()))
                        .expect(200)
                        .text("user/id"))
                .isEqualTo(second);
        assertThat(app.detail(second).get("providers")).hasToString("[\"oidc-acme\"]");
        assertThat(app.project()
                        .manage("GET", "/v1/dashboard/users?provider=oidc-acme")
                        .expect(200)
                        .text("users/0/id"))
                .isEqualTo(second);
        app.andProvider("oidc-third").signIn(subject, unverified(email)).expect(409);
    }

    /** Two providers with the same issuer are two clients, and the owner may trust only one of them. */
    @Test
    void anIdentityBelongsToTheNameOfItsProviderToo() {
        var acme = app.andProvider("oidc-acme");
        var first = signIn(verified(email));
        acme.setUp(Map.of("issuer", app.issuer()));

        assertThat(acme.signIn(subject, verified(TestServer.newEmail()))
                        .expect(200)
                        .text("user/id"))
                .isNotEqualTo(first);
    }

    @Test
    void aNameThatComesBackWithAnotherIssuerOpensNothing() {
        var acme = app.andProvider("oidc-acme");
        var before = acme.signIn(subject, verified(email)).expect(200).text("user/id");
        app.project().asOwner("DELETE", "/providers/oidc-acme").expect(200);
        acme.askUrl().expect(404);

        var another = app.andProvider("oidc-acme");
        assertThat(another.signIn(subject, verified(TestServer.newEmail()))
                        .expect(200)
                        .text("user/id"))
                .isNotEqualTo(before);
        acme.setUp(Map.of());
        assertThat(acme.signIn(subject, unverified(TestServer.newEmail()))
                        .expect(200)
                        .text("user/id"))
                .as("back at the first issuer")
                .isEqualTo(before);
    }

    @Test
    void anImportAndAnExportNameTheIssuerOfAProviderThatTheProjectHasNamed() {
        app.andProvider("oidc-acme");
        var identity = Map.of("provider", "oidc-acme", "subject", subject);
        app.project()
                .manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", email, "identities", List.of(identity)))
                .expect(201);
        assertThat(world.server()
                        .sql()
                        .texts(
                                "SELECT provider FROM identities JOIN identity_providers USING (project_id, provider, issuer)"
                                        + " WHERE project_id = ?::uuid",
                                app.project().id()))
                .containsExactly("oidc-acme");
        assertThat(app.project()
                        .manage("GET", "/v1/dashboard/users/export")
                        .expect(200)
                        .body())
                .contains("\"provider\":\"oidc-acme\",\"issuer\":");
    }

    /** The other identity belongs to an issuer with which nobody can sign in any more. */
    @Test
    void aProviderAtAFormerIssuerIsNotAnotherSignInMethod() {
        var signedIn = app.signIn(subject, verified(email)).expect(200);
        world.server()
                .sql()
                .update(
                        "INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)"
                                + " VALUES (?::uuid, 'github', 'github', 'x', ?::uuid, now())",
                        app.project().id(),
                        signedIn.text("user/id"));
        app.project()
                .asOwner("PUT", "/providers/github")
                .json(Map.of("clientId", "a", "clientSecret", "b", "enabled", true))
                .expect(200);
        pointToAnotherIssuer();
        world.server()
                .api()
                .call("DELETE", "/v1/auth/me/providers/github")
                .bearer(signedIn.accessToken())
                .expect(409);
    }

    private static Map<String, Object> account(String email, String subject, @Nullable String issuer) {
        var identity = new HashMap<String, Object>(Map.of("provider", "oidc", "subject", subject));
        if (issuer != null) {
            identity.put("issuer", issuer);
        }
        return Map.of("email", email, "emailVerified", true, "identities", List.of(identity));
    }

    @Test
    void anImportedIdentityBelongsToTheProjectsIssuer() {
        var id = app.project()
                .manage("POST", "/v1/dashboard/users")
                .json(account(email, subject, null))
                .expect(201)
                .text("id");
        assertThat(signIn(unverified(email))).isEqualTo(id);
        pointToAnotherIssuer();
        assertThat(signIn(verified(TestServer.newEmail()))).isNotEqualTo(id);
    }

    @Test
    void anImportBeforeTheProviderIsSetUpMustNameTheIssuer() {
        app.project().asOwner("DELETE", "/providers/oidc").expect(200);
        var project = app.project();
        assertThat(project.manage("POST", "/v1/dashboard/users")
                        .json(account(email, subject, null))
                        .expect(422)
                        .failingFields())
                .containsExactly("identities");
        assertThat(project.manage("POST", "/v1/dashboard/users")
                        .json(account(email, subject, "http://login.example.com"))
                        .expect(422)
                        .failingFields())
                .containsExactly("identities.0.issuer");
        project.manage("POST", "/v1/dashboard/users")
                .json(account(email, subject, "https://login.example.com"))
                .expect(201);
        assertThat(world.server().sql().texts("SELECT issuer FROM identities WHERE project_id = ?::uuid", project.id()))
                .containsExactly("https://login.example.com");
    }

    @Test
    void theIssuerOfTheCatalogueIsNotForProjectsToName() {
        var identity = Map.of("provider", "google", "subject", "1", "issuer", "https://evil.example");
        assertThat(app.project()
                        .manage("POST", "/v1/dashboard/users")
                        .json(Map.of("email", email, "identities", List.of(identity)))
                        .expect(422)
                        .failingFields())
                .containsExactly("identities.0.issuer");
    }
}
