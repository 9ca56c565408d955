package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestReceiver;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A successfully requested code by SMS is sent, however often the server is killed in between;
 * {@code -Dcrash.rounds=20} kills more often.
 */
@ExtendWith(WithServer.class)
class SmsCrashIT {
    private static final int ROUNDS = Integer.getInteger("crash.rounds", 1);
    private static final int NUMBERS = 40;

    private final Sql sql;
    private final JarCommand command;
    private final TestReceiver carrier = TestReceiver.start();
    private JarServer server;

    SmsCrashIT(TestDatabase database, @TempDir Path folder) {
        var url = database.createDatabase();
        sql = new Sql(url);
        var jar = JarCommand.in(folder)
                .with("VESTIBULE_DATABASE_URL", url)
                .with("VESTIBULE_SECRET", TestServer.SECRET)
                .with("VESTIBULE_LIMITS_ENABLED", "false");
        for (var setting : WithSms.settings(carrier, Map.of("VESTIBULE_SMS_TIMEOUT_SECONDS", "1"))
                .entrySet()) {
            jar = jar.with(setting.getKey(), setting.getValue());
        }
        command = jar;
        server = command.start();
    }

    @AfterEach
    void leaveNothingRunning() {
        server.kill();
        carrier.close();
    }

    @Test
    void everySuccessfullyRequestedCodeIsSentAndSignsIn() {
        var project = WithSms.on(server.firstProject());
        for (int round = 0; round < ROUNDS; round++) {
            crash(project);
        }
    }

    /**
     * The endpoint accepts some messages, and then none until the server is back, so that the kill hits messages in all
     * states.
     */
    private void crash(TestProject project) {
        var some = ThreadLocalRandom.current().nextInt(1, NUMBERS - 1); // a code signs in once, so none of the others
        var phones = IntStream.range(0, NUMBERS)
                .mapToObj(number -> {
                    var phone = WithSms.newNumber();
                    if (number == some) {
                        carrier.answer(WithSms.PATH, request -> {});
                    }
                    WithSms.ask(project.through(server.api()), phone).expect(200);
                    return phone;
                })
                .toList();
        server.kill();
        carrier.answer(WithSms.PATH, 200, "");
        server = command.start();

        Eventually.until("nothing waits", () -> sql.count("SELECT count(*) FROM messages") == 0);
        for (var phone : List.of(phones.get(0), phones.get(some), phones.get(NUMBERS - 1))) {
            WithSms.verify(project.through(server.api()), phone, lastCode(phone))
                    .expect(200);
        }
        assertThat(phones).allMatch(phone -> codes(phone).distinct().count() == 1);
    }

    private String lastCode(String phone) {
        return codes(phone).reduce((first, second) -> second).orElseThrow();
    }

    /** That of each attempt. */
    private Stream<String> codes(String phone) {
        return carrier.to(WithSms.PATH).stream()
                .map(WithSms::data)
                .filter(data -> data.path("to").asText().equals(phone))
                .map(data -> data.path("code").asText());
    }
}
