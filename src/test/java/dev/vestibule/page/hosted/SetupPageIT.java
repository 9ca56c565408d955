package dev.vestibule.page.hosted;

import static dev.vestibule.page.hosted.HostedBrowser.onward;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import dev.vestibule.fixture.WithServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a customer's own administrator does with the setup link of their organization. */
@ExtendWith({WithServer.class, WithProvider.class})
class SetupPageIT {
    private static final String SECRET = "the secret of the connection";

    private static final Pattern SCIM_TOKEN = Pattern.compile("scim_(live|test)_[A-Za-z0-9_-]{59}");

    private final OauthWorld world;
    private final TestServer server;
    private OauthProject app;
    private TestProject project;
    private String id;
    private String domain;
    private URI link;
    private HostedBrowser browser;

    SetupPageIT(OauthWorld world) {
        this.world = world;
        this.server = world.server();
    }

    @BeforeEach
    void newLink() {
        app = world.newProject();
        project = app.project();
        id = organization("Engines & Sons");
        domain = UUID.randomUUID() + ".example.com";
        link = createLink();
        browser = new HostedBrowser(project);
    }

    private String organization(String name) {
        return project.manage("POST", "/v1/dashboard/organizations")
                .json(Map.of("name", name, "createdBy", project.signUp().text("user/id")))
                .expect(201)
                .text("id");
    }

    private Call manage(String method, String below) {
        return project.manage(method, "/v1/dashboard/organizations/" + id + below);
    }

    private URI createLink() {
        return URI.create(
                manage("POST", "/setup-link").json(Map.of()).expect(201).text("url"));
    }

    private HttpResponse<String> open(URI url) {
        return browser.get(url.getRawPath() + "?" + url.getRawQuery());
    }

    private HttpResponse<String> change(String form, Map<String, String> fields) {
        open(link);
        return browser.submit("setup/" + form, fields);
    }

    private static void isDone(HttpResponse<String> response, String form) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(302);
        assertThat(response.headers().firstValue("location").orElseThrow())
                .startsWith("./?token=sl_")
                .endsWith("&done=" + form);
    }

    private JsonNode listed(String below) {
        return manage("GET", below).expect(200).json();
    }

    private void connect(String issuer) {
        isDone(
                change(
                        "connection-added",
                        Map.of("name", "Okta", "issuer", issuer, "clientId", "the-client", "clientSecret", SECRET)),
                "connection-added");
    }

    @Test
    void anAdministratorWithoutAnAccountSeesWhatIsToDo() {
        var page = open(link);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("Engines &amp; Sons", "Prove your domains", "Connect your provider")
                .contains("/v1/auth/oauth/redirect/" + id);
        assertThat(page.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(page.headers().firstValue("referrer-policy")).hasValue("same-origin");
        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .contains("frame-ancestors 'none'")
                .doesNotContain("script-src");
    }

    @Test
    void aDomainIsAddedWithItsRecordAndRemoved() {
        isDone(change("domain-added", Map.of("domain", domain)), "domain-added");
        var record = listed("/domains").at("/0/record");
        assertThat(open(link).body())
                .contains(record.path("name").asText(), record.path("value").asText());
        var item = listed("/domains").at("/0/id").asText();
        isDone(change("domain-policy", Map.of("item", item, "policy", "join")), "domain-policy");
        assertThat(listed("/domains").at("/0/policy").asText()).isEqualTo("join");
        var early = change("domain-policy", Map.of("item", item, "policy", "sso_required"));
        assertThat(early.statusCode()).isBetween(400, 422);
        isDone(change("domain-removed", Map.of("item", item)), "domain-removed");
        assertThat(listed("/domains")).isEmpty();
    }

    @Test
    void aProviderIsConnectedTestedAndTurnedOff() {
        connect(world.provider().newIssuer());
        var page = open(link).body();
        assertThat(page).contains("Okta").doesNotContain(SECRET);
        var connection = listed("/connections").path(0);
        assertThat(connection.path("clientId").asText()).isEqualTo("the-client");

        var left = change(
                "connection-tried", Map.of("item", connection.path("provider").asText()));
        assertThat(left.statusCode()).as(left.body()).isEqualTo(200);
        assertThat(onward(left).getQuery()).contains("client_id=the-client");

        var item = connection.path("id").asText();
        isDone(change("connection-off", Map.of("item", item)), "connection-off");
        assertThat(listed("/connections").at("/0/enabled").asBoolean()).isFalse();
        isDone(change("connection-on", Map.of("item", item)), "connection-on");
        isDone(change("connection-removed", Map.of("item", item)), "connection-removed");
        assertThat(listed("/connections")).isEmpty();
    }

    /** The tokens that the page shows. */
    private static List<String> tokens(HttpResponse<String> page) {
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.headers().firstValue("cache-control")).hasValue("no-store");
        return SCIM_TOKEN.matcher(page.body()).results().map(MatchResult::group).toList();
    }

    private int provisioned(String token) {
        var base = URI.create(listed("/directories").at("/0/baseUrl").asText()).getPath();
        return project.api()
                .get(base + "/Users")
                .header("Authorization", "Bearer " + token)
                .send()
                .status();
    }

    @Test
    void aDirectoryIsCreatedItsTokenReplacedAndItselfSwitchedOff() {
        var created = change("directory-created", Map.of("name", "Entra <ID>"));
        var first = tokens(created);
        assertThat(first).hasSize(1);
        var directory = listed("/directories").path(0);
        assertThat(created.body())
                .contains("Entra &lt;ID&gt;", directory.path("baseUrl").asText(), "The directory is ready.");
        assertThat(provisioned(first.get(0))).isEqualTo(200);
        assertThat(tokens(open(link))).isEmpty();

        var item = directory.path("id").asText();
        var second = tokens(change("token-created", Map.of("item", item)));
        assertThat(second).hasSize(1).doesNotContainAnyElementsOf(first);
        assertThat(change("token-created", Map.of("item", item)).body())
                .contains("There are as many as there can be. Remove one first.");
        var old = directory.at("/tokens/0/id").asText();
        isDone(change("token-withdrawn", Map.of("item", item, "tokenId", old)), "token-withdrawn");
        assertThat(provisioned(first.get(0))).isEqualTo(401);
        assertThat(provisioned(second.get(0))).isEqualTo(200);

        isDone(change("directory-off", Map.of("item", item)), "directory-off");
        assertThat(provisioned(second.get(0))).isBetween(401, 403);
        isDone(change("directory-on", Map.of("item", item)), "directory-on");
        assertThat(provisioned(second.get(0))).isEqualTo(200);
        isDone(change("directory-removed", Map.of("item", item)), "directory-removed");
        assertThat(listed("/directories")).isEmpty();
        assertThat(audited())
                .contains(
                        "org.directory.created",
                        "org.directory.token.created",
                        "org.directory.token.revoked",
                        "org.directory.updated",
                        "org.directory.deleted");
    }

    /** A directory whose groups gave roles would be more than a link allows. */
    @Test
    void theFormOfADirectorySetsOnlyItsName() {
        var created = change(
                "directory-created", Map.of("name", "Entra", "groupRoles", "{\"all\":\"admin\"}", "enabled", "no"));
        assertThat(tokens(created)).hasSize(1);
        assertThat(listed("/directories").at("/0/groupRoles")).isEmpty();
        for (var name : new String[] {"", " ", "a\u0000b", "a\nb", "x".repeat(101)}) {
            var odd = change("directory-created", Map.of("name", name));
            assertThat(odd.statusCode()).as(name).isBetween(400, 422);
        }
        assertThat(listed("/directories")).hasSize(1);
    }

    /** What the link of the organization did. */
    private List<String> audited() {
        return server.sql()
                .texts(
                        "SELECT event FROM audit_log WHERE project_id = ?::uuid AND actor_type = 'setup_link' AND actor_id = ?::uuid",
                        project.id(),
                        id);
    }

    @Test
    void whatALinkChangesIsInTheAuditLogAsTheLinks() {
        change("domain-added", Map.of("domain", domain));
        assertThat(audited()).containsExactly("org.domain.added");
    }

    @Test
    void aLinkOpensOneOrganizationAlone() {
        isDone(change("domain-added", Map.of("domain", domain)), "domain-added");
        connect(world.provider().newIssuer());
        change("directory-created", Map.of("name", "Entra"));
        var foreignDirectory = listed("/directories").path(0);
        var foreignDomain = listed("/domains").at("/0/id").asText();
        var foreign = listed("/connections").path(0);
        var first = link;
        id = organization("Other");
        link = createLink();
        for (var form : new String[] {"domain-verified", "domain-policy", "domain-removed"}) {
            assertThat(change(form, Map.of("item", foreignDomain, "policy", "join"))
                            .statusCode())
                    .as(form)
                    .isEqualTo(404);
        }
        for (var form : new String[] {"connection-on", "connection-off", "connection-removed"}) {
            assertThat(change(form, Map.of("item", foreign.path("id").asText())).statusCode())
                    .as(form)
                    .isEqualTo(404);
        }
        for (var provider : new String[] {foreign.path("provider").asText(), "google", "oidc", "", "\u0000"}) {
            assertThat(change("connection-tried", Map.of("item", provider)).statusCode())
                    .as(provider)
                    .isEqualTo(404);
        }
        change("directory-created", Map.of("name", "Okta"));
        var own = listed("/directories").at("/0/id").asText();
        var foreignToken = foreignDirectory.at("/tokens/0/id").asText();
        for (var form :
                new String[] {"directory-on", "directory-off", "directory-removed", "token-created", "token-withdrawn"
                }) {
            for (var item : new String[] {foreignDirectory.path("id").asText(), "", "\u0000"}) {
                assertThat(change(form, Map.of("item", item, "tokenId", foreignToken))
                                .statusCode())
                        .as(form)
                        .isEqualTo(404);
            }
        }
        assertThat(change("token-withdrawn", Map.of("item", own, "tokenId", foreignToken))
                        .statusCode())
                .isEqualTo(404);
        assertThat(open(first).body()).contains(foreignDirectory.path("baseUrl").asText());
    }

    @Test
    void aLinkOfAnotherProjectOpensNothing() {
        var other = new HostedBrowser(world.newProject().project());
        assertThat(other.get(other.path() + "setup/?" + link.getRawQuery()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void aReplacedRevokedOrExpiredLinkOpensNothing() {
        var replaced = link;
        link = createLink();
        assertThat(open(replaced).statusCode()).isEqualTo(404);
        assertThat(open(link).statusCode()).isEqualTo(200);
        manage("DELETE", "/setup-link").expect(200);
        manage("DELETE", "/setup-link").expect(200);
        assertThat(open(link).statusCode()).isEqualTo(404);
        link = createLink();
        server.sql()
                .update(
                        "UPDATE organization_setup_links SET expires_at = now() - interval '1 day'"
                                + " WHERE project_id = ?::uuid",
                        project.id());
        assertThat(open(link).statusCode()).isEqualTo(404);
        for (var token : new String[] {"", "sl_", "x".repeat(500), "%00", "%F0%9F%92%A3"}) {
            assertThat(browser.get(browser.path() + "setup/?token=" + token).statusCode())
                    .isEqualTo(404);
        }
        assertThat(browser.get(browser.path() + "setup/domain-added").statusCode())
                .isEqualTo(404);
    }

    @Test
    void aFormOfAnotherSiteChangesNothing() {
        open(link);
        var token = browser.hidden("token");
        var forged = browser.post("setup/domain-added", Map.of("token", token, "domain", domain));
        assertThat(forged.statusCode()).isEqualTo(403);
        open(link);
        var foreign = browser.submit("setup/domain-added", Map.of("domain", domain), "Sec-Fetch-Site", "cross-site");
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(listed("/domains")).isEmpty();
    }

    @Test
    void oddInputIsNamed() {
        var odd = change("domain-added", Map.of("domain", "<b>com</b>"));
        assertThat(odd.statusCode()).isEqualTo(422);
        assertThat(odd.body()).contains("Enter a domain of your own").doesNotContain("<b>com");
        assertThat(change(
                                "connection-added",
                                Map.of("name", "a", "issuer", "ftp://x", "clientId", "c", "clientSecret", "s"))
                        .body())
                .contains("Enter the https address");
        assertThat(change("no-such-form", Map.of()).statusCode()).isEqualTo(404);
    }

    @Test
    void aRefusedFormStillHasWhatWasTypedButNotTheSecret() {
        var refused = change(
                "connection-added",
                Map.of("name", "Okta \"EU\"", "issuer", "ftp://x", "clientId", "the-client", "clientSecret", SECRET));
        assertThat(refused.body())
                .contains("value=\"Okta &quot;EU&quot;\"", "value=\"ftp://x\"", "value=\"the-client\"")
                .containsOnlyOnce("Okta")
                .doesNotContain(SECRET);
        assertThat(change("domain-added", Map.of("domain", "<b>com</b>")).body())
                .contains("value=\"&lt;b&gt;com&lt;/b&gt;\"");
        assertThat(change("directory-created", Map.of("name", "<b>\n</b>")).body())
                .containsOnlyOnce("value=\"&lt;b&gt;\n&lt;/b&gt;\"");

        var fields = browser.hiddenFields();
        fields.putAll(
                Map.of("formToken", "of another day", "issuer", "https://id.example.com", "clientSecret", SECRET));
        var stale = browser.post("setup/connection-added", fields);
        assertThat(stale.statusCode()).isEqualTo(403);
        assertThat(stale.body()).contains("value=\"https://id.example.com\"").doesNotContain(SECRET);
        assertThat(open(link).body()).doesNotContain("value=\"https://id.example.com\"");
    }

    @Test
    void onlyThoseWhoMayDoAllThatALinkAllowsCanCreateOne() {
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "organizationRoles",
                        Map.of(
                                "dns", List.of("org.domains.manage", "org.directories.manage"),
                                "sso", List.of("org.connections.manage", "org.directories.manage"),
                                "both", List.of("org.domains.manage", "org.connections.manage"))))
                .expect(200);
        var path = "/v1/auth/organizations/" + id + "/setup-link";
        for (var role : List.of("member", "dns", "sso", "both")) {
            var member = project.signUp();
            manage("POST", "/members")
                    .json(Map.of("userId", member.text("user/id"), "role", role))
                    .expect(201);
            for (var method : List.of("POST", "DELETE")) {
                assertThat(project.api()
                                .call(method, path)
                                .bearer(member.accessToken())
                                .json(Map.of())
                                .expect(403)
                                .text("code"))
                        .as("%s by %s", method, role)
                        .isEqualTo("role_not_allowed");
            }
        }
        project.api()
                .post(path)
                .bearer(project.signUp().accessToken())
                .json(Map.of())
                .expect(404);
        assertThat(manage("POST", "/setup-link")
                        .json(Map.of("expiresInDays", 31))
                        .expect(422)
                        .text("details/0/field"))
                .isEqualTo("expiresInDays");
    }

    private Response member(String role) {
        var member = project.signUp();
        manage("POST", "/members")
                .json(Map.of("userId", member.text("user/id"), "role", role))
                .expect(201);
        return member;
    }

    private void createLink(Response member) {
        link = URI.create(project.api()
                .post("/v1/auth/organizations/" + id + "/setup-link")
                .bearer(member.accessToken())
                .json(Map.of())
                .expect(201)
                .text("url"));
    }

    @Test
    void aLinkOfAMemberEndsWithTheirMembershipOrTheirRole() {
        var demoted = member("admin");
        createLink(demoted);
        assertThat(open(link).statusCode()).isEqualTo(200);
        manage("PATCH", "/members/" + demoted.text("user/id"))
                .json(Map.of("role", "member"))
                .expect(200);
        assertThat(change("domain-added", Map.of("domain", domain)).statusCode())
                .isEqualTo(404);
        var removed = member("admin");
        createLink(removed);
        manage("DELETE", "/members/" + removed.text("user/id")).expect(200);
        assertThat(open(link).statusCode()).isEqualTo(404);
        var banned = member("admin");
        createLink(banned);
        isDone(change("domain-added", Map.of("domain", domain)), "domain-added");
        project.manage("POST", "/v1/backend/users/" + banned.text("user/id") + "/ban")
                .json(Map.of())
                .expect(200);
        assertThat(open(link).statusCode()).isEqualTo(404);
        assertThat(listed("/domains")).hasSize(1);
    }

    /** Whoever had the password before may have made the link. */
    @Test
    void aLinkOfAMemberEndsWithTheirPassword() {
        var member = member("admin");
        createLink(member);
        assertThat(open(link).statusCode()).isEqualTo(200);
        project.manage("PATCH", "/v1/dashboard/users/" + member.text("user/id"))
                .json(Map.of("password", "another correct horse"))
                .expect(200);
        assertThat(open(link).statusCode()).isEqualTo(404);
    }

    @Test
    void aLinkOfManagementEndsWithTheAccessOfWhoeverMadeIt() {
        var key = project.asOwner("POST", "/keys")
                .json(Map.of("kind", "secret", "name", "Onboarding"))
                .expect(201);
        var path = "/v1/dashboard/organizations/" + id + "/setup-link";
        link = URI.create(project.api()
                .post(path)
                .key(key.text("key"))
                .json(Map.of())
                .expect(201)
                .text("url"));
        assertThat(open(link).statusCode()).isEqualTo(200);
        project.asOwner("DELETE", "/keys/" + key.text("id")).expect(200);
        assertThat(open(link).statusCode()).isEqualTo(404);

        var developer = server.newMember(project, "developer");
        var member = Jwt.parse(developer).claims().path("sub").asText();
        link = URI.create(project.api()
                .post(path)
                .bearer(developer)
                .json(Map.of("projectId", project.id()))
                .expect(201)
                .text("url"));
        assertThat(open(link).statusCode()).isEqualTo(200);
        project.asOwner("PATCH", "/members/" + member)
                .json(Map.of("role", "support"))
                .expect(200);
        assertThat(change("domain-added", Map.of("domain", domain)).statusCode())
                .isEqualTo(404);
        project.asOwner("PATCH", "/members/" + member)
                .json(Map.of("role", "developer"))
                .expect(200);
        assertThat(open(link).statusCode()).isEqualTo(200);
        project.asOwner("DELETE", "/members/" + member).expect(200);
        assertThat(open(link).statusCode()).isEqualTo(404);
    }

    @Test
    void aLinkOfAMemberGivesNobodyARoleThatTheyCouldNotGive() {
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "organizationRoles",
                        Map.of(
                                "it",
                                List.of("org.connections.manage", "org.directories.manage", "org.domains.manage"))))
                .expect(200);
        var directory = manage("POST", "/directories")
                .json(Map.of("name", "Entra", "groupRoles", Map.of("Admins", "admin")))
                .expect(201)
                .text("id");
        createLink(member("it"));
        var refused = change("token-created", Map.of("item", directory));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(SCIM_TOKEN.matcher(refused.body()).find()).isFalse();
        assertThat(tokens(change("directory-created", Map.of("name", "Okta")))).hasSize(1);
    }

    @Test
    void theLinkIsNowhereButInItsResponse() {
        var token = link.getRawQuery().substring("token=".length());
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM audit_log WHERE project_id = ?::uuid AND metadata::text LIKE ?",
                                project.id(),
                                "%" + token + "%"))
                .isZero();
        assertThat(manage("GET", "").expect(200).body()).doesNotContain(token);
    }
}
