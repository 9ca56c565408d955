package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.PropertyServer;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithSms;
import dev.vestibule.mail.PromisedCodes.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;

/**
 * Random sequences of codes and links by mail and SMS that are asked for and tried, against a small model of what each
 * is worth: until it expires, until the next one, for so many tries, once, and for nobody else. A failure prints the
 * shortest sequence that shows it, and the seed that repeats it.
 */
class CodeModelIT {
    private static final int STEPS = 30;
    private static final int TRIES = 8;
    private static final int AT_ONCE = 3;
    private static final int GUESSES = 5;
    private static final Pattern LINK = Pattern.compile("https://\\S*[?&]token=(ml_[A-Za-z0-9_-]{43})");

    private static final Map<String, String> SETTINGS = Map.of(
            "VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1",
            "VESTIBULE_LIMITS_WRONG_CODES_PER_DAY", String.valueOf(PromisedCodes.WRONG_PER_DAY),
            "VESTIBULE_MAIL_PER_ADDRESS_PER_DAY", "10000",
            "VESTIBULE_SMS_PER_NUMBER_PER_DAY", "1000",
            "VESTIBULE_SMS_PER_PROJECT_PER_DAY", "100000",
            "VESTIBULE_SESSIONS_SWEEP_SECONDS", "86400"); // or what is over would be forgotten at any time

    @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void everyCodeIsWorthWhatIsPromised(@ForAll("sequences") ActionChain<People> sequence) {
        sequence.run();
    }

    /** Each is about one kind most of the time, or not enough would happen to one code. */
    @Provide
    Arbitrary<ActionChain<People>> sequences() {
        return Arbitraries.of(Kind.class).flatMap(CodeModelIT::mostlyAbout);
    }

    private static Arbitrary<ActionChain<People>> mostlyAbout(Kind kind) {
        return ActionChain.startWith(() -> new People(PropertyServer.shared(Post::start)))
                .withAction(7, step("ask", kind, (people, who, what) -> people.ask(who, what, 1)))
                .withAction(1, step("ask twice at once", kind, (people, who, what) -> people.ask(who, what, 2)))
                .withAction(8, step("use the newest", kind, People::use))
                .withAction(3, step("use one at once", kind, People::useAtOnce))
                .withAction(2, step("use an older one", kind, People::useOlder))
                .withAction(2, step("try a wrong one", kind, (people, who, what) -> people.guess(who, what, 1)))
                .withAction(4, step("try many at once", kind, (people, who, what) -> people.guess(who, what, GUESSES)))
                .withAction(2, step("use one of somebody else", kind, People::useOfAnother))
                .withAction(1, step("use one for something else", kind, People::useForAnother))
                .withAction(1, step("ban, or lift the ban", kind, (people, who, what) -> people.toggleBan(who)))
                .withAction(1, step("mark as unverified", kind, (people, who, what) -> people.unverify(who)))
                .withAction(2, step("unlock", kind, (people, who, what) -> people.unlock(who)))
                .withAction(
                        2,
                        step(
                                "wait until it is about to expire",
                                kind,
                                (people, who, what) -> people.await(who, what, -1)))
                .withAction(
                        3, step("wait until it has expired", kind, (people, who, what) -> people.await(who, what, 0)))
                .withAction(4, (Action.Independent<People>) CodeModelIT::waiting)
                .withMaxTransformations(STEPS);
    }

    private interface Change {
        void apply(People people, Person who, Kind what);
    }

    private static Action<People> step(String name, Kind most, Change change) {
        var person = Arbitraries.frequency(Tuple.of(8, 0), Tuple.of(1, 1), Tuple.of(1, 2));
        var kind =
                Arbitraries.frequencyOf(Tuple.of(6, Arbitraries.just(most)), Tuple.of(1, Arbitraries.of(Kind.class)));
        return (Action.Independent<People>) () -> Combinators.combine(person, kind)
                .as((number, what) -> Transformer.mutate("person " + number + ": " + name + ", " + what, people -> {
                    var who = people.all.get(number);
                    change.apply(people, who, what);
                    people.check(who);
                }));
    }

    private static Arbitrary<Transformer<People>> waiting() {
        return Arbitraries.frequency(
                        Tuple.of(8, Duration.ofMinutes(1)),
                        Tuple.of(1, Duration.ofMinutes(30)),
                        Tuple.of(1, Duration.ofDays(1)))
                .map(time -> Transformer.mutate(
                        "wait for " + time, people -> people.post.mail().clock().advance(time)));
    }

    /** A server whose mails and SMS arrive here. */
    private record Post(WithMail mail, WithSms sms) implements AutoCloseable {
        private static final String WAITING = """
                SELECT count(*) FROM messages WHERE project_id = ?::uuid
                """;

        static Post start(TestDatabase database) {
            var carrier = TestReceiver.start();
            var mail = WithMail.start(database, WithSms.settings(carrier, SETTINGS));
            return new Post(mail, new WithSms(carrier, mail.server(), mail.clock()));
        }

        void awaitSent(TestProject project) {
            var sql = mail.server().sql();
            Eventually.until("all is sent", () -> sql.count(WAITING, project.id()) == 0);
        }

        /** What arrived so far, the newest last. */
        List<String> to(Person person, Kind kind) {
            return kind == Kind.SMS
                    ? sms.to(person.phone).stream()
                            .map(message -> message.path("code").asText())
                            .toList()
                    : mail.mailbox().to(person.email).stream()
                            .map(TestMailbox::text)
                            .toList();
        }

        @Override
        public void close() {
            sms.close();
            mail.close();
        }
    }

    /** Somebody with an account by email and one by number, and what both are promised. */
    private static final class Person {
        private final PromisedCodes promised = new PromisedCodes();
        private final TestProject project;
        private final String email;
        private final String phone;
        private String userByMail = "";
        private String userBySms = "";

        private Person(TestProject project, String email, String phone) {
            this.project = project;
            this.email = email;
            this.phone = phone;
        }

        private Response manage(String method, String path) {
            return project.manage(method, "/v1/dashboard/users/" + path).expect(200);
        }
    }

    /** Two people of a project, and one with the address and the number of the first, of another project. */
    private static final class People {
        private final List<Person> all = new ArrayList<>();
        private final Post post;
        private int networks;
        private int passwords;

        private People(Post post) {
            this.post = post;
            var project = newProject();
            all.add(new Person(project, TestServer.newEmail(), WithSms.newNumber()));
            all.add(new Person(project, TestServer.newEmail(), WithSms.newNumber()));
            all.add(new Person(newProject(), all.get(0).email, all.get(0).phone));
            all.forEach(this::signUp);
        }

        private TestProject newProject() {
            var project = WithSms.on(post.mail().server().newProject());
            project.asOwner("PATCH", "")
                    .json(Map.of("magicLinkUrl", "https://app.example.com/in", "securityNotices", false))
                    .expect(200);
            return project;
        }

        private void signUp(Person person) {
            var before = post.to(person, Kind.VERIFICATION).size();
            person.userByMail = person.project.signUp(person.email).text("user/id");
            receive(person, Kind.VERIFICATION, before);
            ask(person, Kind.SMS, 1);
            person.userBySms =
                    use(person, Kind.SMS, person.promised.newest(Kind.SMS)).text("user/id");
        }

        private Instant now() {
            return post.mail().clock().instant();
        }

        /** A call from a network that no account knows. */
        private Call call(Person person, String path, Map<String, String> fields) {
            networks++;
            return person.project
                    .post("/v1/auth/" + path)
                    .header("X-Forwarded-For", "10." + networks / 256 + "." + networks % 256 + ".1")
                    .json(fields);
        }

        private Call askCall(Person person, Kind kind) {
            return switch (kind) {
                case SIGN_IN -> call(person, "passwordless/email-otp", Map.of("email", person.email));
                case LINK -> call(person, "passwordless/magic-link", Map.of("email", person.email));
                case VERIFICATION -> call(person, "resend-code", Map.of("email", person.email));
                case RESET -> call(person, "password/forgot", Map.of("email", person.email));
                case SMS -> call(person, "passwordless/sms-otp", Map.of("phone", person.phone));
            };
        }

        private Call useCall(Person person, Kind kind, String text) {
            var fields = new HashMap<>(Map.of("email", person.email, "code", text));
            return switch (kind) {
                case SIGN_IN -> call(person, "passwordless/verify", fields);
                case LINK -> call(person, "passwordless/verify", Map.of("token", text));
                case VERIFICATION -> call(person, "verify-email", fields);
                case RESET -> {
                    fields.put("password", TestProject.PASSWORD + ++passwords);
                    yield call(person, "password/reset", fields);
                }
                case SMS -> call(person, "passwordless/verify", Map.of("phone", person.phone, "code", text));
            };
        }

        private void ask(Person person, Kind kind, int times) {
            var before = post.to(person, kind).size();
            assertThat(Parallel.send(times, number -> askCall(person, kind)))
                    .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
            receive(person, kind, before);
        }

        private void receive(Person person, Kind kind, int before) {
            post.awaitSent(person.project);
            var isSent = person.promised.ask(kind, now());
            var arrived = post.to(person, kind);
            assertThat(arrived).as("messages").hasSize(isSent ? before + 1 : before);
            if (isSent) {
                person.promised.send(kind, secret(kind, arrived.get(before)), now());
            }
        }

        private static String secret(Kind kind, String message) {
            return switch (kind) {
                case SMS -> message;
                case LINK ->
                    LINK.matcher(message).results().findFirst().orElseThrow().group(1);
                default -> TestMailbox.code(message);
            };
        }

        private void use(Person person, Kind kind) {
            use(person, kind, person.promised.newest(kind));
        }

        private void useOlder(Person person, Kind kind) {
            use(person, kind, person.promised.older(kind));
        }

        private Response use(Person person, Kind kind, String text) {
            var answer = useCall(person, kind, text).expect(person.promised.use(kind, text, now()));
            if (answer.status() == 200 && kind == Kind.RESET) {
                person.project
                        .trySignIn(person.email, TestProject.PASSWORD + passwords)
                        .expect(200);
            } else if (answer.status() == 200 && !person.userBySms.isEmpty()) {
                assertThat(answer.text("user/id")).isEqualTo(kind == Kind.SMS ? person.userBySms : person.userByMail);
            }
            return answer;
        }

        /** A link says itself whose it is, so it is one of the other project. */
        private void useOfAnother(Person person, Kind kind) {
            var number = all.indexOf(person);
            var other = all.get(kind == Kind.LINK && number < 2 ? 2 : (number + 1) % all.size());
            use(person, kind, other.promised.newest(kind));
        }

        private void useForAnother(Person person, Kind kind) {
            Stream.of(Kind.values())
                    .filter(other -> other != kind && other.isShort() && kind.isShort())
                    .forEach(other -> use(person, kind, person.promised.newest(other)));
        }

        private void guess(Person person, Kind kind, int times) {
            useTogether(person, kind, person.promised.wrong(kind), times);
        }

        private void useAtOnce(Person person, Kind kind) {
            useTogether(person, kind, person.promised.newest(kind), AT_ONCE);
        }

        private void useTogether(Person person, Kind kind, String text, int times) {
            var statuses = Parallel.send(times, number -> useCall(person, kind, text)).stream()
                    .map(Response::status)
                    .toList();
            var first = person.promised.use(kind, text, now());
            if (kind == Kind.SIGN_IN && first != 401 && first != 429) {
                checkRace(person, statuses, first);
                return;
            }
            var expected = new ArrayList<>(List.of(first));
            for (var next = 1; next < times; next++) {
                expected.add(person.promised.use(kind, text, now()));
            }
            assertThat(statuses).containsExactlyInAnyOrderElementsOf(expected);
        }

        /** It is compared before it is used up, so which of the others counts as wrong is a matter of time. */
        private void checkRace(Person person, List<Integer> statuses, int winner) {
            assertThat(statuses).containsOnlyOnce(winner);
            assertThat(statuses).allSatisfy(status -> assertThat(status).isIn(winner, 401, 429));
            statuses.stream().filter(status -> status == 401).forEach(loser -> person.promised.countTry(Kind.SIGN_IN));
            unlock(person);
        }

        private void await(Person person, Kind kind, int more) {
            var time = Duration.between(now(), person.promised.expiryOf(kind)).plusMillis(more);
            post.mail().clock().advance(time.isNegative() ? Duration.ZERO : time);
        }

        private void toggleBan(Person person) {
            person.promised.setBanned(!person.promised.isBanned());
            for (var user : List.of(person.userByMail, person.userBySms)) {
                person.manage("PATCH", user + (person.promised.isBanned() ? "/ban" : "/unban"));
            }
        }

        private void unverify(Person person) {
            person.project
                    .manage("PATCH", "/v1/dashboard/users/" + person.userByMail)
                    .json(Map.of("emailVerified", false))
                    .expect(200);
            person.promised.unverify();
        }

        private void unlock(Person person) {
            person.manage("POST", person.userByMail + "/unlock");
            person.manage("POST", person.userBySms + "/unlock");
            person.promised.unlock();
        }

        private void check(Person person) {
            var user = person.manage("GET", person.userByMail).json();
            assertThat(user.path("emailVerified").asBoolean()).isEqualTo(person.promised.isVerified());
            assertThat(user.path("isBanned").asBoolean()).isEqualTo(person.promised.isBanned());
        }

        @Override
        public String toString() {
            return all.size() + " people at " + now();
        }
    }
}
