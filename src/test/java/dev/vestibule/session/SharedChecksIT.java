package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests whose sessions one statement looks up: nobody gets what belongs to another. */
@ExtendWith(WithServer.class)
class SharedChecksIT {
    private static final int USERS = 12;
    private static final int AT_ONCE = 300;

    private record Person(TestProject project, String userId, String accessToken, String refreshToken) {
        static Person signedUp(TestProject project) {
            var response = project.signUpInVariantB();
            return new Person(project, response.text("user/id"), response.accessToken(), response.refreshToken());
        }
    }

    private final TestProject project;
    private final List<Person> people;

    SharedChecksIT(TestServer server) {
        project = server.newProject();
        people = Stream.of(project, server.newProject())
                .flatMap(one -> IntStream.range(0, USERS / 2).mapToObj(number -> Person.signedUp(one)))
                .toList();
    }

    private Person person(int number) {
        return people.get(number % USERS);
    }

    @Test
    void everybodyGetsTheirOwnAccount() {
        var answers = Parallel.send(
                AT_ONCE, number -> person(number).project().me(person(number).accessToken()));
        for (var number = 0; number < AT_ONCE; number++) {
            assertThat(answers.get(number).status()).isEqualTo(200);
            assertThat(answers.get(number).text("id")).isEqualTo(person(number).userId());
        }
    }

    @Test
    void everybodyGetsTheirOwnTokens() {
        var answers = Parallel.send(
                AT_ONCE,
                number -> person(number)
                        .project()
                        .refreshAccessToken(person(number).refreshToken()));
        for (var number = 0; number < AT_ONCE; number++) {
            var person = person(number);
            assertThat(answers.get(number).status()).isEqualTo(200);
            var token = answers.get(number).accessToken();
            assertThat(person.project().me(token).expect(200).text("id")).isEqualTo(person.userId());
        }
    }

    /** Each session has been refreshed a different number of times, and each new token is valid for its own session. */
    @Test
    void everybodyGetsTheirOwnNewRefreshToken() {
        var latest = new ArrayList<Response>();
        for (var number = 0; number < 30; number++) {
            var response = project.refresh(project.signUp().refreshToken()).expect(200);
            for (var times = 0; times < number % 3; times++) {
                response = project.refresh(response.refreshToken()).expect(200);
            }
            latest.add(response);
        }
        for (var round = 0; round < 5; round++) {
            var answers = Parallel.send(
                    latest.size(), number -> project.refresh(latest.get(number).refreshToken()));
            for (var number = 0; number < latest.size(); number++) {
                assertThat(answers.get(number).status()).isEqualTo(200);
                assertThat(answers.get(number).text("sessionId"))
                        .isEqualTo(latest.get(number).text("sessionId"));
                latest.set(number, answers.get(number));
            }
        }
    }

    /**
     * Whatever happens concurrently: a user who has signed out or is banned is refused from then on, and nobody else
     * is.
     */
    @Test
    void aSignedOutUserIsRefusedAmongOthersWhoAreNot() {
        var random = new Random(7);
        var active = new ArrayList<>(people);
        var ended = new ArrayList<Person>();
        while (active.size() > 2) {
            var ending = active.remove(random.nextInt(active.size()));
            var others = List.copyOf(active);
            var before = Parallel.start(30, number -> request(others.get(number % others.size()), number));
            end(ending, random.nextBoolean());
            ended.add(ending);
            var after = Parallel.start(30, number -> request(others.get(number % others.size()), number));
            var refused = Parallel.start(ended.size() * 2, number -> request(ended.get(number / 2), number));

            assertThat(Parallel.await(before)).extracting(Response::status).containsOnly(200);
            assertThat(Parallel.await(after)).extracting(Response::status).containsOnly(200);
            assertThat(Parallel.await(refused)).extracting(Response::status).containsOnly(401);
        }
    }

    private static Call request(Person person, int number) {
        return number % 2 == 0
                ? person.project().me(person.accessToken())
                : person.project().refreshAccessToken(person.refreshToken());
    }

    private static void end(Person person, boolean bySignOut) {
        if (bySignOut) {
            person.project().signOut(person.accessToken()).expect(200);
        } else {
            person.project()
                    .manage("PATCH", "/v1/dashboard/users/" + person.userId() + "/ban")
                    .expect(200);
        }
    }

    @Test
    void aLockedSessionDelaysNoOther(TestServer server) throws SQLException {
        try (var change = server.sql().connect();
                var lock = change.prepareStatement("SELECT FROM sessions WHERE user_id = ?::uuid FOR UPDATE")) {
            change.setAutoCommit(false);
            lock.setString(1, person(0).userId());
            lock.executeQuery();
            var answers = Parallel.start(
                    AT_ONCE,
                    number -> person(number)
                            .project()
                            .refreshAccessToken(person(number).refreshToken()));
            var others = IntStream.range(0, AT_ONCE)
                    .filter(number -> number % USERS != 0)
                    .mapToObj(answers::get)
                    .toList();

            assertThat(Parallel.await(others)).extracting(Response::status).containsOnly(200);
            assertThat(answers.get(0)).as("the one that is being changed").isNotDone();
            change.commit();
        }
    }

    /** They could lock sessions in opposite orders, and deadlock. */
    @Test
    void refreshesOfTheSameSessionsOnTwoNodesDoNotWaitForEachOther(TestServer server) {
        try (var other = TestServer.startOn(server.databaseUrl(), Map.of(), Clock.systemUTC())) {
            for (var round = 0; round < 20; round++) {
                var answers = Parallel.send(AT_ONCE, number -> {
                    var place = number / 2 % USERS;
                    var person = person(number % 2 == 0 ? place : USERS - 1 - place);
                    var node = number % 2 == 0
                            ? person.project()
                            : person.project().at(other);
                    return node.refreshAccessToken(person.refreshToken());
                });
                assertThat(answers).extracting(Response::status).containsOnly(200);
            }
        }
    }
}
