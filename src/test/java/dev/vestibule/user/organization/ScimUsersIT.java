package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.HeldAccount;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the users of a directory are for the organization and the project, also under attack. */
@ExtendWith(WithServer.class)
class ScimUsersIT {
    private static final String ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

    private final TestServer server;
    private TestProject project;
    private ScimCalls scim;

    ScimUsersIT(TestServer server) {
        this.server = server;
    }

    @BeforeEach
    void newDirectory() {
        project = server.newProject();
        scim = ScimCalls.start(server, project);
    }

    private Response account(Response user) {
        return project.manage("GET", "/v1/backend/users/" + user.text("id")).expect(200);
    }

    @Test
    void aProvisionedUserIsAMemberWithAVerifiedEmail() {
        scim.calls().subscribe();
        var user = scim.user("ada");
        assertThat(user.text("meta/location")).endsWith(scim.base() + "/Users/" + user.text("id"));
        assertThat(user.header("Location")).contains(user.text("meta/location"));
        assertThat(user.text("active")).isEqualTo("true");
        assertThat(scim.roles(user)).containsExactly("member");
        var account = account(user);
        assertThat(account.text("email")).isEqualTo(scim.email("ada"));
        assertThat(account.text("emailVerified")).isEqualTo("true");
        assertThat(account.text("displayName")).isEqualTo("ada Tester");
        assertThat(scim.calls().events()).containsExactly("organization.member.added");
        assertThat(server.sql()
                        .texts(
                                "SELECT event || ' ' || actor_type || ' ' || (actor_id::text = ?) FROM audit_log"
                                        + " WHERE project_id = ?::uuid AND actor_type = 'directory' ORDER BY event",
                                scim.directory(),
                                project.id()))
                .containsExactly("admin.user.created directory true", "org.member.added directory true");
    }

    @Test
    void deactivationEndsSessionsAndMembershipAtOnceAndTheAccountStays() {
        var ada = project.signUp(scim.email("ada"));
        server.proveEmail(scim.email("ada"));
        var user = scim.user("ada");
        assertThat(user.text("id")).isEqualTo(ada.text("user/id"));
        project.api().get("/v1/auth/me").bearer(ada.accessToken()).expect(200);
        assertThat(scim.activate(user, false).expect(200).text("active")).isEqualTo("false");
        project.api().get("/v1/auth/me").bearer(ada.accessToken()).expect(401);
        assertThat(scim.roles(user)).containsExactly("");
        var again = project.signIn(scim.email("ada"));
        scim.activate(user, false).expect(200);
        project.api().get("/v1/auth/me").bearer(again.accessToken()).expect(200);
        assertThat(scim.activate(user, true).expect(200).text("active")).isEqualTo("true");
        assertThat(scim.roles(user)).containsExactly("member");
        scim.call("DELETE", "/Users/" + user.text("id")).expect(204);
        scim.call("GET", "/Users/" + user.text("id")).expect(404);
        scim.call("DELETE", "/Users/" + user.text("id")).expect(404);
        project.api().get("/v1/auth/me").bearer(again.accessToken()).expect(401);
        assertThat(account(user).text("email")).isEqualTo(scim.email("ada"));
        assertThat(scim.user("ada").text("id")).isEqualTo(user.text("id"));
    }

    /** A member of the proven domain, with a session, whom the directory has taken in. */
    private Response colleague(String name) {
        var person = project.signUp(scim.email(name));
        server.proveEmail(scim.email(name));
        assertThat(scim.user(name).text("id")).isEqualTo(person.text("user/id"));
        return person;
    }

    private String path(Response person) {
        return "/Users/" + person.text("user/id");
    }

    private Call sayInactive(Response person) {
        return scim.patch(path(person), Map.of("op", "Replace", "path", "active", "value", "False"));
    }

    private void leave(Response person) {
        scim.calls().as(person, "POST", "/" + scim.organization() + "/leave").expect(200);
    }

    @Test
    void whoHasLeftTheOrganizationIsStillSignedOutByTheDirectory() {
        var ada = colleague("ada");
        var bob = colleague("bob");
        var eve = colleague("eve");
        leave(ada);
        leave(bob);
        scim.calls()
                .manage("DELETE", "/" + scim.organization() + "/members/" + eve.text("user/id"))
                .expect(200);
        sayInactive(ada).expect(200);
        scim.call("DELETE", path(bob)).expect(204);
        scim.call("PUT", path(eve))
                .json(Map.of("userName", scim.email("eve"), "active", false))
                .expect(200);
        for (var person : List.of(ada, bob, eve)) {
            project.me(person.accessToken()).expect(401);
            project.refresh(person.refreshToken()).expect(401);
        }
    }

    @Test
    void whoHasLeftStaysSignedInWhileTheDirectoryDoesNotSayThatTheyAreInactive() {
        var ada = colleague("ada");
        leave(ada);
        scim.patch(path(ada), Map.of("op", "replace", "path", "title", "value", "Countess"))
                .expect(200);
        scim.call("PUT", path(ada)).json(Map.of("userName", scim.email("ada"))).expect(200);
        project.me(ada.accessToken()).expect(200);
        sayInactive(ada).expect(200);
        project.me(ada.accessToken()).expect(401);
    }

    @Test
    void whomSomebodyAddsAgainTheDirectorySignsOutAgain() {
        sayInactive(colleague("ada")).expect(200);
        var ada = project.signIn(scim.email("ada"));
        scim.calls().join(scim.organization(), ada, "member");
        sayInactive(ada).expect(200);
        project.me(ada.accessToken()).expect(401);
    }

    private Call createAsInactive(String email) {
        return scim.call("POST", "/Users").json(Map.of("userName", email, "active", false));
    }

    @Test
    void aMemberWhomTheDirectoryCreatesAsInactiveLosesAccess() {
        var ada = project.signUp(scim.email("ada"));
        server.proveEmail(scim.email("ada"));
        scim.calls().join(scim.organization(), ada, "admin");
        scim.calls().subscribe();
        var user = createAsInactive(scim.email("ada")).expect(201);
        assertThat(user.text("id")).isEqualTo(ada.text("user/id"));
        assertThat(user.text("active")).isEqualTo("false");
        assertThat(scim.roles(user)).containsExactly("");
        assertThat(scim.calls().events()).containsExactly("organization.member.removed");
        project.me(ada.accessToken()).expect(401);
        project.refresh(ada.refreshToken()).expect(401);
        scim.activate(user, true).expect(200);
        assertThat(scim.roles(user)).containsExactly("member");
    }

    @Test
    void aUserWhomADirectoryDeactivatedDoesNotJoinByTheDomain() {
        server.sql().update("UPDATE organization_domains SET policy = 'join' WHERE project_id = ?::uuid", project.id());
        for (var name : List.of("ada", "bob", "eve")) {
            project.signUp(scim.email(name));
            server.proveEmail(scim.email(name));
        }
        scim.activate(scim.user("ada"), false).expect(200);
        scim.call("DELETE", "/Users/" + scim.user("bob").text("id")).expect(204);
        createAsInactive(scim.email("eve")).expect(201);
        for (var name : List.of("ada", "bob", "eve")) {
            var person = project.signIn(scim.email(name));
            assertThat(scim.calls().as(person, "GET", "").expect(200).text("total"))
                    .as(name)
                    .isEqualTo("0");
            scim.calls().as(person, "POST", "/" + scim.organization() + "/join").expect(404);
        }
        assertThat(scim.roles(scim.user("bob"))).containsExactly("member");
    }

    @Test
    void aMemberWhoIsRemovedElsewhereIsInactive() {
        var user = scim.user("ada");
        scim.calls()
                .manage("DELETE", "/" + scim.organization() + "/members/" + user.text("id"))
                .expect(200);
        assertThat(scim.call("GET", "/Users/" + user.text("id")).expect(200).text("active"))
                .isEqualTo("false");
    }

    @Test
    void theLastOwnerStays() {
        var owner = scim.owner().text("user/email");
        server.sql()
                .update(
                        "UPDATE organization_domains SET domain = ? WHERE project_id = ?::uuid",
                        owner.substring(owner.indexOf('@') + 1),
                        project.id());
        server.proveEmail(owner);
        var session = project.signIn(owner);
        var asInactive = createAsInactive(owner).expect(409);
        var user = scim.call("POST", "/Users").json(Map.of("userName", owner)).expect(201);
        for (var refused : List.of(
                asInactive,
                scim.activate(user, false).expect(409),
                scim.call("DELETE", "/Users/" + user.text("id")).expect(409))) {
            assertThat(refused.text("detail")).contains("last owner");
        }
        project.api().get("/v1/auth/me").bearer(session.accessToken()).expect(200);
        assertThat(scim.roles(user)).containsExactly("owner");
    }

    private Response owner(String name) {
        var user = scim.user(name);
        scim.calls()
                .as(scim.owner(), "PATCH", "/" + scim.organization() + "/members/" + user.text("id"))
                .json(Map.of("role", "owner"))
                .expect(200);
        return user;
    }

    private void theFounderLeaves() {
        scim.calls()
                .as(
                        scim.owner(),
                        "DELETE",
                        "/" + scim.organization() + "/members/" + scim.owner().text("user/id"))
                .expect(200);
    }

    @Test
    void anOwnerCanBeDeactivatedOnceAnotherIsThere() {
        var ada = owner("ada");
        var bob = owner("bob");
        theFounderLeaves();
        scim.activate(ada, false).expect(200);
        assertThat(scim.roles(ada, bob)).containsExactly("", "owner");
        assertThat(scim.activate(bob, false).expect(409).text("detail")).contains("last owner");
        scim.activate(ada, true).expect(200);
        assertThat(scim.roles(ada, bob)).containsExactly("member", "owner");
        assertThat(scim.activate(bob, false).expect(409).text("detail")).contains("last owner");
        scim.calls()
                .manage("PATCH", "/" + scim.organization() + "/members/" + ada.text("id"))
                .json(Map.of("role", "owner"))
                .expect(200);
        scim.call("DELETE", "/Users/" + bob.text("id")).expect(204);
        assertThat(scim.roles(ada, bob)).containsExactly("owner", "");
    }

    @Test
    void ofTwoOwnersWhoAreDeactivatedAtOnceOneStays() {
        var ada = owner("ada");
        var bob = owner("bob");
        theFounderLeaves();
        var statuses = Parallel.send(2, i -> scim.activate(i == 0 ? ada : bob, false)).stream()
                .map(Response::status)
                .toList();
        assertThat(statuses).containsExactlyInAnyOrder(200, 409);
        assertThat(scim.calls().roles(scim.organization())).containsExactly("owner");
    }

    @Test
    void noDirectoryTakesOverAnAccountOutsideOfTheDomains() {
        var stranger = project.signUp();
        var email = stranger.text("user/email");
        for (var user : List.of(
                Map.of("userName", email),
                Map.of("userName", "x", "emails", List.of(Map.of("value", email.toUpperCase(Locale.ROOT)))),
                Map.of("userName", scim.email("x"), "emails", List.of(Map.of("value", email, "primary", "True"))))) {
            assertThat(scim.call("POST", "/Users").json(user).expect(403).text("detail"))
                    .contains("domain");
        }
        server.sql()
                .update("UPDATE organization_domains SET verified_at = NULL WHERE project_id = ?::uuid", project.id());
        var colleague = project.signUp(scim.email("bob"));
        scim.newUser("bob").expect(403);
        project.api().get("/v1/auth/me").bearer(colleague.accessToken()).expect(200);
        assertThat(server.sql()
                        .texts("SELECT user_id::text FROM directory_users WHERE project_id = ?::uuid", project.id()))
                .isEmpty();
    }

    @Test
    void aDirectoryRegistersAnEmailOutsideOfTheDomainsAsUnverified() {
        var email = TestServer.newEmail();
        var user = scim.call("POST", "/Users").json(Map.of("userName", email)).expect(201);
        assertThat(account(user).text("emailVerified")).isEqualTo("false");
        var other = TestServer.newEmail();
        replaceEmail(user, other).expect(200);
        assertThat(account(user).text("email")).isEqualTo(other);
        server.proveEmail(other); // from here on it is that person's
        replaceEmail(user, TestServer.newEmail()).expect(403);
        replaceEmail(user, scim.email("mine")).expect(403);
        assertThat(account(user).text("email")).isEqualTo(other);
    }

    @Test
    void aUsedAccountStaysThatPersonsWhenManagementChangesItsEmail() {
        var email = TestServer.newEmail();
        var user = scim.call("POST", "/Users").json(Map.of("userName", email)).expect(201);
        var managed = "/v1/dashboard/users/" + user.text("id");
        project.manage("PATCH", managed)
                .json(Map.of("password", TestProject.PASSWORD, "emailVerified", true))
                .expect(200);
        var session = project.signIn(email);
        for (var change : List.of(Map.of("email", TestServer.newEmail()), Map.of("emailVerified", false))) {
            project.manage("PATCH", managed).json(change).expect(200);
            replaceEmail(user, TestServer.newEmail()).expect(403);
            scim.activate(user, false).expect(200);
            project.me(session.accessToken()).expect(200);
        }
    }

    private Call replaceEmail(Response user, String email) {
        return scim.call("PUT", "/Users/" + user.text("id")).json(Map.of("userName", email));
    }

    @Test
    void aStrangerInAnUnprovedAccountIsSignedOut() {
        var squatter = project.signUp(scim.email("ada"));
        var user = scim.user("ada");
        assertThat(user.text("id")).isEqualTo(squatter.text("user/id"));
        project.api().get("/v1/auth/me").bearer(squatter.accessToken()).expect(401);
        project.post("/v1/auth/signin")
                .json(Map.of("email", scim.email("ada"), "password", TestProject.PASSWORD))
                .expect(401);
        assertThat(account(user).text("emailVerified")).isEqualTo("true");
    }

    @Test
    void theEmailOfAnotherAccountIsTaken() {
        var ada = scim.user("ada");
        var bob = scim.user("bob");
        for (var refused : List.of(
                replaceEmail(ada, scim.email("bob")).expect(409),
                replaceEmail(ada, scim.owner().text("user/email")).expect(409),
                scim.patch(
                                "/Users/" + ada.text("id"),
                                Map.of("op", "replace", "path", "userName", "value", scim.email("BOB")))
                        .expect(409),
                scim.patch(
                                "/Users/" + ada.text("id"),
                                Map.of(
                                        "op", "replace",
                                        "path", "emails[type eq \"work\"].value",
                                        "value", scim.email("bob")))
                        .expect(409),
                scim.newUser("bob").expect(409))) {
            assertThat(refused.text("scimType")).isEqualTo("uniqueness");
        }
        assertThat(account(ada).text("email")).isEqualTo(scim.email("ada"));
        assertThat(account(bob).text("email")).isEqualTo(scim.email("bob"));
    }

    @Test
    void anAccountThatTheDirectoryHasMadeGetsItsNewNameAndEmail() {
        var user = scim.user("ada");
        scim.patch(
                        "/Users/" + user.text("id"),
                        Map.of("op", "replace", "path", "userName", "value", scim.email("ada.king")),
                        Map.of(
                                "op",
                                "replace",
                                "path",
                                "emails[type eq \"work\"].value",
                                "value",
                                scim.email("ada.king")),
                        Map.of("op", "add", "path", "displayName", "value", "Ada King"))
                .expect(200);
        assertThat(account(user).text("email")).isEqualTo(scim.email("ada.king"));
        assertThat(account(user).text("emailVerified")).isEqualTo("true");
        assertThat(account(user).text("displayName")).isEqualTo("Ada King");
    }

    @Test
    void theEmailOfAnAccountThatWasThereBeforeStays() {
        project.signUp(scim.email("ada"));
        server.proveEmail(scim.email("ada"));
        var user = scim.user("ada");
        replaceEmail(user, scim.email("somebody")).expect(200);
        assertThat(account(user).text("email")).isEqualTo(scim.email("ada"));
    }

    @Test
    void oneOfFiftySimultaneousRequestsCreatesTheUser() {
        var statuses = IntStream.range(0, 50).mapToObj(i -> scim.newUser("ada").sendAsync()).toList().stream()
                .map(one -> one.join().status())
                .toList();
        assertThat(statuses).filteredOn(status -> status == 201).hasSize(1);
        assertThat(statuses).filteredOn(status -> status == 409).hasSize(49);
    }

    @Test
    void noMoreMembersAreProvisionedThanTheOrganizationMayHave() {
        scim.calls()
                .as(scim.owner(), "PATCH", "/" + scim.organization())
                .json(Map.of("maxMembers", 5))
                .expect(200);
        var answers = IntStream.range(0, 20)
                .mapToObj(i -> scim.newUser("user" + i).sendAsync())
                .toList()
                .stream()
                .map(one -> one.join())
                .toList();
        assertThat(answers).filteredOn(one -> one.status() == 201).hasSize(4);
        assertThat(answers)
                .filteredOn(one -> one.status() == 409)
                .hasSize(16)
                .allMatch(one -> one.text("detail").contains("5 members"));
        assertThat(scim.calls().roles(scim.organization())).hasSize(5);
        assertThat(server.sql()
                        .texts(
                                "SELECT email FROM users WHERE project_id = ?::uuid AND email LIKE '%' || ?",
                                project.id(), scim.domain()))
                .as("accounts that no refused request left")
                .hasSize(4);
    }

    @Test
    void aUserOfAnotherDirectoryIsNotFound() {
        var user = scim.user("ada");
        var second = scim.calls().create(scim.owner(), "Second");
        for (var other : List.of(
                ScimCalls.start(scim.calls(), scim.owner(), second), ScimCalls.start(server, server.newProject()))) {
            for (var id : List.of(user.text("id"), scim.owner().text("user/id"), UUID.randomUUID(), "no-id", "%00")) {
                other.call("GET", "/Users/" + id).expect(404);
                other.call("DELETE", "/Users/" + id).expect(404);
                other.call("PUT", "/Users/" + id)
                        .json(Map.of("userName", other.email("x")))
                        .expect(404);
                other.patch("/Users/" + id, Map.of("op", "replace", "value", Map.of("active", false)))
                        .expect(404);
                other.patch("/Groups/" + id, Map.of("op", "replace", "path", "displayName", "value", "x"))
                        .expect(404);
            }
            other.call("POST", "/Groups")
                    .json(Map.of("displayName", "Thieves", "members", List.of(Map.of("value", user.text("id")))))
                    .expect(400);
        }
        assertThat(scim.roles(user)).containsExactly("member");
    }

    private Response found(String filter) {
        return scim.call("GET", "/Users?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8))
                .expect(200);
    }

    @Test
    void filtersFindUsersByWhatIdentityProvidersAsk() {
        var ada = scim.call("POST", "/Users")
                .json(Map.of(
                        "userName",
                        scim.email("Ada"),
                        "externalId",
                        "X-1",
                        "displayName",
                        "Ada King",
                        "TITLE",
                        "Countess of Ångström",
                        "Name",
                        Map.of("formatted", "Augusta Ada King", "familyName", "King", "GIVENNAME", "Augusta"),
                        "emails",
                        List.of(
                                Map.of("value", scim.email("ada"), "type", "work"),
                                Map.of("value", "ada@home.example", "type", "home"))))
                .expect(201);
        var bob = scim.user("bob");
        for (var filter : List.of(
                "userName eq \"" + scim.email("ADA") + "\"",
                "username EQ \"" + scim.email("ada") + "\" and active eq true",
                "urn:ietf:params:scim:schemas:core:2.0:User:userName eq \"" + scim.email("ada") + "\"",
                "externalId eq \"X-1\"",
                "externalId pr",
                "id eq \"" + ada.text("id") + "\"",
                "emails eq \"ada@home.example\"",
                "emails.value sw \"ada@home\"",
                "emails[value eq \"ada@home.example\"]",
                "displayName co \"KING\"",
                "displayName sw \"ada\" and userName pr and (active eq \"True\")",
                "displayName ew \"king\" or userName eq \"nobody\"",
                "userName eq \"" + scim.email("ada") + "\" or userName eq \"nobody\" or externalId eq \"nothing\"",
                "not (userName eq \"" + scim.email("bob") + "\")",
                "userName ne \"" + scim.email("bob") + "\"",
                "not (externalId eq null)",
                "not (not (externalId eq \"X-1\"))",
                "not (externalId ne \"X-1\" or active eq false)",
                "(userName sw \"ada\" or userName sw \"eve\") and (emails co \"home\" or active eq false)",
                "emails[value ew \"@home.example\"] and not (displayName co \"lovelace\")",
                "title eq \"countess OF ångström\"",
                "title pr",
                "urn:ietf:params:scim:schemas:core:2.0:User:title co \"ÅNG\" and title gt \"countess\"",
                "name.familyName eq \"king\" and name.givenName sw \"AUG\"",
                "name[familyname eq \"King\"]",
                "urn:ietf:params:scim:schemas:core:2.0:User:name.givenName ne \"bob\"",
                "name.formatted ew \"ada king\" or title eq \"nobody\"",
                "name.familyName ne \"Tester\"",
                "externalId ge \"X-1\" and externalId lt \"X-2\"",
                "externalId gt \"W\" and externalId le \"X-1\"",
                "externalId pr and meta.created gt \"2020-01-01T00:00:00Z\" and meta.lastModified le"
                        + " \"9999-01-01T00:00:00+01:00\"",
                "externalId pr and meta.created eq \""
                        + ada.json().at("/meta/created").textValue() + "\"")) {
            assertThat(found(filter).text("Resources/0/id")).as(filter).isEqualTo(ada.text("id"));
            assertThat(found(filter).text("totalResults")).as(filter).isEqualTo("1");
        }
        for (var filter : List.of(
                "userName eq \"" + UUID.randomUUID() + "\"",
                "externalId eq \"x-1\"",
                "active eq false",
                "id eq \"" + ada.text("id") + "\" and id eq \"" + bob.text("id") + "\"",
                "not (userName pr)",
                "id eq \"no id\" or id eq \"\"",
                "displayName eq \"' OR '1'='1\" or externalId co \"%\" or externalId co \"_\"",
                "title eq \"countess\" or title eq \"{}\" or title co \"%\"",
                "name.familyName eq \"Augusta\" or name.givenName eq \"King\" or displayName eq \"Augusta Ada King\"",
                "not (name.givenName pr)",
                "meta.created lt \"2020-01-01T00:00:00Z\"")) {
            assertThat(found(filter).text("totalResults")).as(filter).isEqualTo("0");
            assertThat(found(filter).json().path("Resources")).isEmpty();
        }
        for (var filter : List.of(
                "active eq true",
                "active ne false",
                "externalId eq \"X-1\" or not (externalId pr)",
                "externalId eq \"X-1\" or externalId ne \"X-1\"",
                "title eq null or not (title eq null)",
                "name.familyName pr",
                "id eq \"" + ada.text("id") + "\" or userName eq \"" + scim.email("BOB") + "\"")) {
            assertThat(found(filter).text("totalResults")).as(filter).isEqualTo("2");
        }
    }

    @Test
    void filtersKnowWhatTheLastChangeSaid() {
        var user = scim.user("ada");
        scim.patch(
                        "/Users/" + user.text("id"),
                        Map.of("op", "Add", "path", "title", "value", "Engineer " + "\u0130".repeat(3000)),
                        Map.of("op", "Replace", "path", "name.familyName", "value", "Lovelace"),
                        Map.of("op", "Remove", "path", "name.givenName"))
                .expect(200);
        for (var filter : List.of("title pr", "title sw \"engineer\"", "name.familyName eq \"lovelace\"")) {
            assertThat(found(filter).text("totalResults")).as(filter).isEqualTo("1");
        }
        for (var filter : List.of("name.givenName pr", "name.familyName eq \"tester\"")) {
            assertThat(found(filter).text("totalResults")).as(filter).isEqualTo("0");
        }
        scim.call("PUT", "/Users/" + user.text("id"))
                .json(Map.of("userName", scim.email("ada"), "title", 5, "name", Map.of("givenName", "Ada")))
                .expect(200);
        assertThat(found("name.givenName eq \"ada\" and not (name.familyName pr)")
                        .text("totalResults"))
                .isEqualTo("1");
        assertThat(found("title co \"engineer\"").text("totalResults")).isEqualTo("0");
    }

    @Test
    void aFilterFindsNobodyOfAnotherDirectory() {
        var user = scim.user("ada");
        var other = ScimCalls.start(scim.calls(), scim.owner(), scim.calls().create(scim.owner(), "Others"));
        for (var filter : List.of(
                "id eq \"" + user.text("id") + "\" or userName eq \"" + scim.email("ada") + "\"",
                "not (userName eq \"nobody\")",
                "userName pr or not (userName pr)")) {
            assertThat(other.call("GET", "/Users?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8))
                            .expect(200)
                            .text("totalResults"))
                    .as(filter)
                    .isEqualTo("0");
        }
    }

    /** The account that had the email has another one when the directory gets its turn. */
    @Test
    void anAccountWhoseEmailChangesMeanwhileIsNotTakenIn() {
        var account = project.signUp(scim.email("ada"));
        var answer = HeldAccount.during(
                server.sql(),
                account.text("user/id"),
                () -> scim.call("POST", "/Users")
                        .json(Map.of("userName", scim.email("ada"), "active", true))
                        .sendAsync(),
                "UPDATE users SET email = 'elsewhere-' || email WHERE id = ?");
        assertThat(answer.status()).as(answer.body()).isIn(409, 503);
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM organization_members WHERE user_id = ?::uuid",
                                account.text("user/id")))
                .isZero();
    }

    /** A lock stands for a directory that has grown too large to be searched. */
    @Test
    void aLongSearchEndsAndKeepsNobodyElseWaiting(TestDatabase database) throws SQLException {
        try (var own = TestServer.start(database, Map.of())) {
            var slow = ScimCalls.start(own, own.newProject());
            var path = "/Users?filter=" + URLEncoder.encode("title co \"x\"", StandardCharsets.UTF_8);
            slow.call("GET", path).expect(200);
            try (var locking = own.sql().connect();
                    var statement = locking.createStatement()) {
                locking.setAutoCommit(false);
                statement.execute("LOCK TABLE directory_users");
                var searches = Stream.generate(() -> slow.call("GET", path).sendAsync())
                        .limit(6)
                        .toList();
                Eventually.until(
                        "a search waits",
                        () -> own.sql()
                                        .count(
                                                "SELECT count(*) FROM pg_stat_activity WHERE datname ="
                                                        + " current_database() AND wait_event_type = 'Lock' AND query LIKE '%directory_users%'")
                                >= 1);
                slow.calls()
                        .project()
                        .api()
                        .get("/v1/auth/me")
                        .bearer(slow.owner().accessToken())
                        .expect(200);
                assertThat(searches).anyMatch(one -> !one.isDone());
                var answers = searches.stream().map(CompletableFuture::join).toList();
                assertThat(answers)
                        .filteredOn(one -> one.status() == 400)
                        .hasSize(2)
                        .allMatch(one -> one.text("scimType").equals("tooMany"));
                assertThat(answers)
                        .filteredOn(one -> one.status() == 503)
                        .hasSize(4)
                        .allMatch(one -> one.header("Retry-After").isPresent());
                locking.rollback();
            }
            slow.call("GET", path).expect(200);
        }
    }

    @Test
    void badFiltersAreRefused() {
        for (var filter : List.of(
                "userName",
                "userName eq",
                "userName eq \"a\" or",
                "userName eq \"a\") and (active eq false",
                "(userName eq \"a\")) and active eq false",
                "userName eq \"a\") nonsense",
                "not userName eq \"a\"",
                "nickName eq \"Ada\"",
                "name eq \"Ada\"",
                "name.familyName.more eq \"Ada\"",
                "title[value eq \"Engineer\"]",
                "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:title eq \"Engineer\"",
                "title gt null",
                "active gt true",
                "active co \"tru\"",
                "userName gt null",
                "meta.created gt \"yesterday\"",
                "emails[value sw \"a\" and value ew \"b\"]",
                "emails[not (value eq \"a\")]",
                "emails[type eq \"work\"]",
                "not (".repeat(11) + "userName pr" + ")".repeat(11),
                "not (".repeat(150) + "userName pr" + ")".repeat(150),
                "id pr or ".repeat(40) + "id pr",
                String.join(" and ", Collections.nCopies(3, "(title co \"a\" or title co \"b\" or title co \"c\")")),
                "title eq \"" + "a".repeat(256) + "\"",
                "(id pr or id pr) and ".repeat(9) + "(id pr or id pr)",
                "password eq \"a\"",
                "userName eq \"a\u0000\"",
                "userName eq \"\\u0000\"",
                "(".repeat(900),
                "userName eq \"a\" and ".repeat(40) + "userName eq \"a\"",
                "userName eq \"" + "a".repeat(2000) + "\"",
                "emails[",
                "emails[emails[value eq \"a\"]]",
                "[]",
                "a b c d",
                "userName eq {\"a\":[1]}",
                "')) OR 1=1 --")) {
            var refused = scim.call("GET", "/Users?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8))
                    .expect(400);
            assertThat(refused.text("scimType")).as(filter).isEqualTo("invalidFilter");
        }
    }

    @Test
    void listsHavePages() {
        var ids = new ArrayList<String>();
        for (var i = 0; i < 5; i++) {
            ids.add(scim.user("user" + i).text("id"));
        }
        ids.sort(null);
        var page = scim.call("GET", "/Users?startIndex=2&count=2&attributes=userName")
                .expect(200);
        assertThat(page.text("totalResults")).isEqualTo("5");
        assertThat(page.text("startIndex")).isEqualTo("2");
        assertThat(page.text("itemsPerPage")).isEqualTo("2");
        assertThat(page.text("Resources/0/id")).isEqualTo(ids.get(1));
        assertThat(page.json().at("/Resources/0").properties())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder("schemas", "id", "userName");
        assertThat(scim.call("GET", "/Users?count=0").expect(200).text("totalResults"))
                .isEqualTo("5");
        assertThat(scim.call("GET", "/Users?startIndex=-3&count=1000000&excludedAttributes=emails,name.givenName")
                        .expect(200)
                        .body())
                .doesNotContain("emails")
                .doesNotContain("givenName")
                .contains("familyName");
        scim.call("GET", "/Users?startIndex=x").expect(400);
        scim.call("GET", "/Users?count=99999999999999").expect(400);
    }

    @Test
    void aPageOfLargeUsersIsShorterAndTheNextGoesOnThere() {
        for (var i = 0; i < 40; i++) {
            scim.call("POST", "/Users")
                    .json(Map.of("userName", scim.email("user" + i), "title", "x".repeat(15_000)))
                    .expect(201);
        }
        var first = scim.call("GET", "/Users?count=200").expect(200);
        assertThat(first.text("totalResults")).isEqualTo("40");
        assertThat(first.text("itemsPerPage")).isEqualTo("34");
        assertThat(first.json().path("Resources")).hasSize(34);
        var second = scim.call("GET", "/Users?count=200&startIndex=35").expect(200);
        assertThat(second.text("totalResults")).isEqualTo("40");
        assertThat(second.text("itemsPerPage")).isEqualTo("6");
    }

    @Test
    void aRequestThatDescribesNoUserIsRefused() {
        for (var odd : List.of(
                "{}",
                "[]",
                "",
                "{\"userName\":1}",
                "{\"userName\":\"\"}",
                "{\"userName\":\"no email\"}",
                "{\"userName\":\"a\\u0000@" + scim.domain() + "\"}",
                "{\"userName\":\"" + scim.email("a") + "\",\"userName\":\"" + scim.email("b") + "\"}",
                "{\"userName\":\"" + "a".repeat(300) + "\"}",
                "{\"userName\":\"" + scim.email("a") + "\",\"title\":\"\\u0000\"}",
                "{\"userName\":\"" + scim.email("a") + "\",\"title\":\"" + "a".repeat(20_000) + "\"}",
                "{\"userName\":\"" + scim.email("a") + "\",\"active\":\"maybe\"}",
                "{\"userName\":\"" + scim.email("a") + "\",\"emails\":\"x\"}",
                "{\"userName\":\"" + scim.email("a") + "\",\"emails\":[{\"value\":\"x\"}]}",
                "{\"userName\":\"" + scim.email("a") + "\",\"roles\":[" + "{},".repeat(200) + "{}]}",
                "{\"userName\":\"" + scim.email("a") + "\",\" \":[" + "0,".repeat(100) + "0]}",
                "{\"userName\":\"" + scim.email("a") + "\",\"a\\nb\":[" + "0,".repeat(100) + "0]}",
                "{\"userName\":\"" + scim.email("a") + "\",\"a\":" + "[".repeat(60) + "]".repeat(60) + "}")) {
            assertThat(scim.send("POST", "/Users", odd).expect(400).text("scimType"))
                    .as(odd)
                    .isIn("invalidValue", "invalidSyntax");
        }
        scim.send("POST", "/Users", "{\"userName\":\"" + "a".repeat(3_000_000) + "\"}")
                .expect(413);
        assertThat(scim.call("GET", "/Users").expect(200).text("totalResults")).isEqualTo("0");
    }

    @Test
    void oddPatchesAreRefused() {
        var user = "/Users/" + scim.user("ada").text("id");
        for (var odd : List.of(
                Map.of("op", "destroy", "path", "title"),
                Map.of("path", "title"),
                Map.of("op", "remove"),
                Map.of("op", "replace", "value", "x"),
                Map.of("op", "replace", "path", "userName", "value", ""),
                Map.of("op", "remove", "path", "userName"),
                Map.of("op", "replace", "path", "emails[", "value", "x"),
                Map.of("op", "replace", "path", "emails[type co \"work!\"].value", "value", "x"),
                Map.of("op", "replace", "path", "a".repeat(2000), "value", "x"),
                Map.of("op", "replace", "path", 1, "value", "x"),
                Map.of("op", "add", "path", "title", "value", "\u0000"),
                Map.of("op", "add", "path", "name.givenName.more", "value", "x"),
                Map.of("op", "replace", "path", "active", "value", "perhaps"))) {
            scim.patch(user, odd).expect(400);
        }
        scim.call("PATCH", user).json(Map.of("Operations", List.of())).expect(400);
        scim.call("PATCH", user).json(Map.of()).expect(400);
        var many = new ArrayList<Object>();
        for (var i = 0; i < 500; i++) {
            many.add(Map.of("op", "add", "path", "title", "value", "x"));
        }
        scim.patch(user, many.toArray()).expect(400);
        for (var i = 0; i < 5000; i++) {
            many.add(Map.of("op", "add", "path", "title", "value", "x"));
        }
        scim.patch(user, many.toArray()).expect(413);
        assertThat(scim.call("GET", user).expect(200).json().has("title")).isFalse();
    }

    @Test
    void aManagerAndPrimaryFlagsAsTextsBecomeWhatTheSchemaSays() {
        var user = scim.user("ada");
        var changed = scim.patch(
                        "/Users/" + user.text("id"),
                        Map.of("op", "Add", "path", ENTERPRISE + ":manager", "value", "a-manager"),
                        Map.of("op", "Add", "path", ENTERPRISE + ":department", "value", "Engines"),
                        Map.of("op", "Add", "path", "roles", "value", Map.of("value", "x", "primary", "True")))
                .expect(200);
        assertThat(changed.json().at("/" + ENTERPRISE + "/manager/value").asText())
                .isEqualTo("a-manager");
        assertThat(changed.json().at("/roles/0/primary").isBoolean()).isTrue();
        assertThat(changed.json().path("schemas")).hasSize(2);
        var without = scim.patch(
                        "/Users/" + user.text("id"),
                        Map.of("op", "Replace", "path", ENTERPRISE + ":manager", "value", ""),
                        Map.of("op", "Remove", "path", ENTERPRISE + ":department"))
                .expect(200);
        assertThat(without.json().has(ENTERPRISE)).isFalse();
    }

    @Test
    void aPasswordIsNeverStored() {
        var user = scim.call("POST", "/Users")
                .json(Map.of("userName", scim.email("ada"), "password", "a secret of theirs"))
                .expect(201);
        assertThat(user.body()).doesNotContain("secret");
        assertThat(server.sql()
                        .texts("SELECT attributes::text FROM directory_users WHERE project_id = ?::uuid", project.id()))
                .noneMatch(text -> text.contains("secret"));
        project.post("/v1/auth/signin")
                .json(Map.of("email", scim.email("ada"), "password", "a secret of theirs"))
                .expect(401);
    }

    @Test
    void theServerSaysWhatItCanDo() {
        assertThat(scim.call("GET", "/ServiceProviderConfig").expect(200).text("patch/supported"))
                .isEqualTo("true");
        assertThat(scim.call("GET", "/ResourceTypes").expect(200).text("totalResults"))
                .isEqualTo("2");
        assertThat(scim.call("GET", "/ResourceTypes/User").expect(200).text("endpoint"))
                .isEqualTo("/Users");
        assertThat(scim.call("GET", "/Schemas").expect(200).text("totalResults"))
                .isEqualTo("3");
        assertThat(scim.call("GET", "/Schemas/" + ENTERPRISE).expect(200).text("name"))
                .isEqualTo("EnterpriseUser");
        scim.call("GET", "/Schemas/nothing").expect(404);
        scim.call("GET", "/ResourceTypes?filter=x").expect(403);
        scim.call("POST", "/.search").json(Map.of()).expect(501);
        scim.call("DELETE", "/Schemas").expect(405);
        scim.call("GET", "/Nothing").expect(404);
    }

    /** Otherwise no answer that contains the user could be read any more. */
    @Test
    void whatIsKeptOfAUserCanBeReadAgain() {
        var user = "/Users/" + scim.user("deep").text("id");
        scim.patch(user, Map.of("op", "add", "path", "a" + ".a".repeat(40), "value", 1))
                .expect(400);
        scim.patch(user, Map.of("op", "add", "path", "urn:example:1.0:X:far", "value", 1e300))
                .expect(200);

        assertThat(scim.call("GET", user)
                        .expect(200)
                        .json()
                        .at("/urn:example:1.0:X/far")
                        .asDouble())
                .isEqualTo(1e300);
        scim.call("GET", "/Users").expect(200);
        scim.patch(user, Map.of("op", "replace", "path", "title", "value", "x")).expect(200);
    }
}
