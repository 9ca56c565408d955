package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the response time reveals which emails have an account: it must not, so the medians must be within 10 %. */
class TimingBenchmark {
    private static final int TRIES = 200;
    private static final Duration BREATH = Duration.ofMillis(20); // until the mail of the previous request is sent

    private final Report report = new Report("timing");
    private final Path folder;

    TimingBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() {
        try (var server = MeasuredServer.start(MeasuredServer.command(folder))) {
            var project = server.firstProject();
            var known = project.signUp().text("user/email");
            compare("wrongPassword", i -> known, email -> wrongPassword(project, email));
            for (var path : new String[] {"forgot", "reset"}) {
                var accounts = Account.signUp(project, TRIES);
                compare(path, i -> accounts.get(i).email(), email -> code(project, path, email));
            }
            // Then only known emails get a mail, which is what nobody may notice.
            project.asOwner("PATCH", "")
                    .json(Map.of("passwordlessSignUp", false, "magicLinkUrl", "https://app.example.com/in"))
                    .expect(200);
            for (var path : new String[] {"magicLink", "emailOtp", "passwordlessVerify"}) {
                var asked = Account.signUp(project, TRIES);
                compare(path, i -> asked.get(i).email(), email -> passwordless(project, path, email));
            }
            var taken = Account.signUp(project, TRIES);
            var users = Account.signUp(project, 2 * TRIES).iterator();
            compare("emailChange", i -> taken.get(i).email(), email -> emailChange(project, users.next(), email));
        }
        report.write();
    }

    private interface Emails {
        String get(int i);
    }

    /** The order of known and unknown emails alternates. */
    private void compare(String what, Emails known, ToLongFunction<String> nanos) {
        var ofKnown = new Histogram(3);
        var ofUnknown = new Histogram(3);
        for (int i = 0; i < TRIES; i++) {
            if (i % 2 == 0) {
                ofKnown.recordValue(nanos.applyAsLong(known.get(i)));
                ofUnknown.recordValue(nanos.applyAsLong(TestServer.newEmail()));
            } else {
                ofUnknown.recordValue(nanos.applyAsLong(TestServer.newEmail()));
                ofKnown.recordValue(nanos.applyAsLong(known.get(i)));
            }
        }
        var ratio = (double) ofUnknown.getValueAtPercentile(50) / ofKnown.getValueAtPercentile(50);
        report.fact(what + "MedianMillis", ofKnown.getValueAtPercentile(50) / 1e6);
        report.fact(what + "UnknownEmailComparedToKnown", ratio);
        assertThat(ratio).isBetween(0.9, 1.1);
    }

    private static long wrongPassword(TestProject project, String email) {
        var call = project.trySignIn(email, "a wrong password");
        var start = System.nanoTime();
        call.expect(401);
        return System.nanoTime() - start;
    }

    private static long emailChange(TestProject project, Account user, String email) {
        return timed(project.post("/v1/auth/me/email")
                .bearer(user.accessToken())
                .json(Map.of("email", email, "currentPassword", TestProject.PASSWORD)));
    }

    private static long passwordless(TestProject project, String path, String email) {
        if (path.equals("magicLink")) {
            return timed(askFor(project, "magic-link", email));
        } else if (path.equals("emailOtp")) {
            return timed(askFor(project, "email-otp", email));
        }
        askFor(project, "email-otp", email).send();
        return timed(project.post("/v1/auth/passwordless/verify").json(Map.of("email", email, "code", "000000")));
    }

    private static Call askFor(TestProject project, String what, String email) {
        return project.post("/v1/auth/passwordless/" + what).json(Map.of("email", email));
    }

    private static long code(TestProject project, String path, String email) {
        return timed(project.post("/v1/auth/password/" + path)
                .json(Map.of("email", email, "code", "0000000000000", "password", "a new password")));
    }

    private static long timed(Call call) {
        LockSupport.parkNanos(BREATH.toNanos());
        var start = System.nanoTime();
        call.send();
        return System.nanoTime() - start;
    }
}
