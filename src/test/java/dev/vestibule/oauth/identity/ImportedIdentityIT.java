package dev.vestibule.oauth.identity;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users who come from another system with the accounts that they have at providers. */
@ExtendWith(WithProvider.class)
class ImportedIdentityIT {
    private final OauthProject app;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String subject = newSubject();

    ImportedIdentityIT(OauthWorld world) {
        this.app = world.newProject();
        this.project = app.project();
    }

    private void importUser(String fields) {
        assertThat(project.manage("POST", "/v1/dashboard/users/import")
                        .raw("application/x-ndjson", "{\"email\":\"" + email + "\"" + fields + "}")
                        .expect(200)
                        .body())
                .contains("\"created\":1");
    }

    @Test
    void theNextSignInWithTheProviderFindsTheImportedAccount() {
        var id = UUID.randomUUID().toString();
        importUser(
                ",\"id\":\"%s\",\"identities\":[{\"provider\":\"oidc\",\"subject\":\"%s\",\"email\":\"old@example.com\"}]"
                        .formatted(id, subject));

        var signedIn = app.signIn(subject, verified("new-address@example.com")).expect(200);

        assertThat(signedIn.text("user/id")).isEqualTo(id);
        assertThat(signedIn.text("user/email")).isEqualTo(email);
    }

    /** The other system did not know whose email that is either. */
    @Test
    void anImportedPasswordOfAnUnverifiedEmailEndsWithTheEmailsFirstProof() {
        importUser(",\"emailVerified\":false,\"password\":\"" + TestProject.PASSWORD
                + "\",\"identities\":[{\"provider\":\"oidc\",\"subject\":\"the attacker's\"}]");
        project.signIn(email);

        var owner = app.signIn(subject, verified(email)).expect(200);

        project.trySignIn(email, TestProject.PASSWORD).expect(401);
        assertThat(app.signIn("the attacker's", verified("attacker-" + email))
                        .expect(200)
                        .text("user/id"))
                .isNotEqualTo(owner.text("user/id"));
    }
}
