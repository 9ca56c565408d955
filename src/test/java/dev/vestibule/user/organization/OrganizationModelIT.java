package dev.vestibule.user.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.PropertyServer;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;
import org.jspecify.annotations.Nullable;

/**
 * Random sequences of what people do to an organization and each other, against a small model of who may do what: the
 * last owner stays, nobody rises above their own role, and what a token says of a membership holds, or the token ends.
 * A failure prints the shortest sequence that shows it, and the seed that repeats it.
 */
class OrganizationModelIT {
    private static final List<String> ROLES = List.of("owner", "admin", "member");
    private static final int PEOPLE = 4;
    private static final int STEPS = 20;
    private static final int TRIES = 10;

    private static TestServer server() {
        return PropertyServer.shared(
                database -> TestServer.start(database, Map.of("VESTIBULE_LIMITS_ENABLED", "false")));
    }

    @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void everybodyMayDoWhatTheirRoleSaysAndNoMore(@ForAll("sequences") ActionChain<Members> sequence) {
        sequence.run();
    }

    @Provide
    Arbitrary<ActionChain<Members>> sequences() {
        return ActionChain.startWith(() -> new Members(server()))
                .withAction(4, step("the application adds", (members, who, whom, role) -> members.add(whom, role)))
                .withAction(6, step("change the role of", Members::change))
                .withAction(2, step("remove", (members, who, whom, role) -> members.remove(who, whom)))
                .withAction(2, step("leave", (members, who, whom, role) -> members.leave(who)))
                .withAction(3, step("get a token", (members, who, whom, role) -> members.getToken(who)))
                .withMaxTransformations(STEPS);
    }

    private interface Change {
        void apply(Members members, Person who, Person whom, String role);
    }

    private static Action<Members> step(String name, Change change) {
        var person = Arbitraries.integers().between(0, PEOPLE - 1);
        return (Action.Independent<Members>) () -> Combinators.combine(person, person, Arbitraries.of(ROLES))
                .as((who, whom, role) -> Transformer.mutate(who + ": " + name + " " + whom + " as " + role, members -> {
                    change.apply(members, members.people.get(who), members.people.get(whom), role);
                    members.check();
                }));
    }

    /** Somebody who may be a member. */
    private static final class Person {
        private final Response tokens;
        private @Nullable String role;
        private @Nullable String organizationToken;
        private @Nullable String roleOfToken;

        private Person(Response tokens) {
            this.tokens = tokens;
        }

        private boolean manages() {
            return role != null && !role.equals("member");
        }

        private boolean owns() {
            return Objects.equals(role, "owner");
        }
    }

    /** A new organization of the first of some people. */
    private static final class Members {
        private final List<Person> people = new ArrayList<>();
        private final TestProject project;
        private final OrganizationCalls calls;
        private final String id;

        private Members(TestServer server) {
            project = server.newProject();
            calls = new OrganizationCalls(server, project);
            for (var i = 0; i < PEOPLE; i++) {
                people.add(new Person(project.signUp()));
            }
            id = calls.create(people.get(0).tokens, "Engines");
            people.get(0).role = "owner";
        }

        private boolean isLastOwner(Person person) {
            return person.owns() && people.stream().filter(Person::owns).count() == 1;
        }

        private String member(Person person) {
            return "/" + id + "/members/" + OrganizationCalls.id(person.tokens);
        }

        private void add(Person whom, String role) {
            var isNew = whom.role == null;
            calls.manage("POST", "/" + id + "/members")
                    .json(Map.of("userId", OrganizationCalls.id(whom.tokens), "role", role))
                    .expect(isNew ? 201 : 409);
            if (isNew) {
                whom.role = role;
            }
        }

        private void change(Person who, Person whom, String role) {
            var answer = calls.as(who.tokens, "PATCH", member(whom))
                    .json(Map.of("role", role))
                    .send();
            var givesTooMuch = !who.owns() && role.equals("owner");
            var isAllowed = isAllowed(who, whom, givesTooMuch, !role.equals("owner"), answer);
            if (isAllowed) {
                whom.role = role;
            }
        }

        /** Somebody who removes themselves leaves. */
        private void remove(Person who, Person whom) {
            var answer = calls.as(who.tokens, "DELETE", member(whom)).send();
            if (who == whom) {
                left(who, answer);
            } else if (isAllowed(who, whom, false, true, answer)) {
                whom.role = null;
            }
        }

        /** Whether the answer is that of a change which is allowed; fails if it is not what the roles say. */
        private boolean isAllowed(Person who, Person whom, boolean givesTooMuch, boolean endsOwner, Response answer) {
            var isLast = endsOwner && isLastOwner(whom);
            if (who.role == null) {
                assertThat(answer.status()).isEqualTo(404);
            } else if (!who.manages() || givesTooMuch || (whom.owns() && !who.owns())) {
                assertThat(answer.status()).isIn(403, whom.role == null ? 404 : 403);
            } else {
                assertThat(answer.status()).isEqualTo(whom.role == null ? 404 : isLast ? 409 : 200);
            }
            return answer.status() == 200;
        }

        private void leave(Person who) {
            left(who, calls.as(who.tokens, "POST", "/" + id + "/leave").send());
        }

        private void left(Person who, Response answer) {
            assertThat(answer.status()).isEqualTo(who.role == null ? 404 : isLastOwner(who) ? 409 : 200);
            if (answer.status() == 200) {
                who.role = null;
            }
        }

        private void getToken(Person who) {
            var answer = project.post("/v1/auth/token/organization")
                    .bearer(who.tokens.accessToken())
                    .json(Map.of("organizationId", id))
                    .expect(who.role == null ? 404 : 200);
            if (answer.status() == 200) {
                who.organizationToken = answer.accessToken();
                who.roleOfToken = who.role;
            }
        }

        private void check() {
            for (var person : people) {
                calls.as(person.tokens, "GET", "/" + id).expect(person.role == null ? 404 : 200);
                if (person.organizationToken != null) {
                    project.me(person.organizationToken)
                            .expect(Objects.equals(person.role, person.roleOfToken) ? 200 : 401);
                }
            }
            assertThat(calls.roles(id))
                    .containsExactlyInAnyOrderElementsOf(people.stream()
                            .map(person -> person.role)
                            .filter(Objects::nonNull)
                            .toList());
        }

        @Override
        public String toString() {
            return people.stream()
                    .map(person -> String.valueOf(person.role))
                    .toList()
                    .toString();
        }
    }
}
