package dev.vestibule;

import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Clients that sign up one time after another, with a new email every time, and record every success. */
final class SignUpStorm {
    static final int CLIENTS = 8;
    /** Enough traffic for a test, and not all that the cores can do. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** Long enough to leave the cores to the server that starts again. */
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(50);

    private static final Duration END_LIMIT = Duration.ofSeconds(90);

    private final TestProject project;
    private final Map<String, String> accessTokens = new ConcurrentHashMap<>();
    private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private volatile boolean ending;
    private volatile long lastFailureNanos = System.nanoTime();

    SignUpStorm(TestProject project) {
        this.project = project;
        for (int i = 0; i < CLIENTS; i++) {
            clients.execute(this::run);
        }
    }

    private void run() {
        while (!ending) {
            try {
                signUp(TestServer.newEmail());
            } catch (UncheckedIOException unanswered) {
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
            }
        }
    }

    private void signUp(String email) {
        var answer = project.api()
                .post("/v1/auth/signup")
                .key(project.publishableKey())
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .send();
        statuses.computeIfAbsent(answer.status(), status -> new LongAdder()).increment();
        if (answer.status() == 201) {
            accessTokens.put(email, answer.accessToken());
            LockSupport.parkNanos(PAUSE.toNanos());
        } else {
            lastFailureNanos = System.nanoTime();
            LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
        }
    }

    boolean isEnding() {
        return ending;
    }

    int answered() {
        return accessTokens.size();
    }

    /** When a sign up was last answered with something else. */
    long lastFailureNanos() {
        return lastFailureNanos;
    }

    /** How often each status was answered. */
    Map<Integer, Long> statuses() {
        var counts = new TreeMap<Integer, Long>();
        statuses.forEach((status, count) -> counts.put(status, count.sum()));
        return counts;
    }

    /** Lets every client finish its last request. */
    void end() {
        ending = true;
        clients.shutdown();
        try {
            if (!clients.awaitTermination(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("A sign up was not answered within " + END_LIMIT);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Users who cannot sign in, or whose session is gone, although their sign up got a 201. */
    List<String> brokenPromises(TestProject at) {
        return accessTokens.entrySet().parallelStream()
                .filter(promise -> !isKept(promise.getKey(), promise.getValue(), at))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isKept(String email, String accessToken, TestProject at) {
        var signIn = at.trySignIn(email, TestProject.PASSWORD).send();
        return signIn.status() == 200 && at.me(accessToken).send().status() == 200;
    }
}
