package dev.vestibule.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How soon the jar answers, how large it is, and how much memory it takes with a small heap. */
class StartBenchmark {
    private static final int STARTS = 5;
    private static final int ACCOUNTS = 16;
    private static final int REQUESTS = 10_000;
    private static final int FIRST_JAVA_WITH_CACHE = 25;

    private final Report report = new Report("start");
    private final Path folder;

    StartBenchmark(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void figures() throws Exception {
        try (var databases = TestDatabase.start()) {
            starts(MeasuredServer.command(folder.resolve("given"))
                    .with("VESTIBULE_DATABASE_URL", databases.createDatabase())
                    .with("VESTIBULE_SECRET", "a master secret of 32 bytes or more"));
        }
        report.fact("jarMegabytes", Files.size(JarCommand.fatJar()) / 1e6);
        memory();
        report.write();
    }

    /** Measures starts in turns with the minimum for any Java: printing its version. */
    private void starts(JarCommand given) throws Exception {
        var withCache = given.java("-XX:AOTCache=" + folder.resolve("aot"));
        var canCache = Runtime.version().feature() >= FIRST_JAVA_WITH_CACHE;
        if (canCache) {
            makeCache();
        }
        secondsToFirstAnswer(given); // makes the first signing keys
        var bare = new ArrayList<Double>();
        var onGiven = new ArrayList<Double>();
        var onGivenWithCache = new ArrayList<Double>();
        var first = new ArrayList<Double>();
        var second = new ArrayList<Double>();
        for (int i = 0; i < STARTS; i++) {
            bare.add(secondsOfBareJava());
            onGiven.add(secondsToFirstAnswer(given));
            if (canCache) {
                onGivenWithCache.add(secondsToFirstAnswer(withCache));
            }
            var embedded = MeasuredServer.command(folder.resolve("start-" + i));
            first.add(secondsToFirstAnswer(embedded));
            second.add(secondsToFirstAnswer(embedded));
        }
        report.fact("secondsOfBareJava", median(bare));
        report.fact("secondsToFirstAnswerOnAGivenDatabase", median(onGiven));
        if (canCache) {
            report.fact("secondsToFirstAnswerOnAGivenDatabaseWithACache", median(onGivenWithCache));
        }
        report.fact("secondsToFirstAnswer", median(second));
        report.fact("secondsToFirstAnswerOnAnEmptyFolder", median(first));
    }

    private void makeCache() throws Exception {
        var script = new ProcessBuilder(
                        "docker/make-aot-cache.sh",
                        JarCommand.fatJar().toString(),
                        folder.resolve("aot").toString())
                .inheritIO();
        script.environment().compute("PATH", (name, path) -> java().getParent() + ":" + path);
        assertThat(script.start().waitFor()).isZero();
    }

    private static double secondsOfBareJava() throws Exception {
        var start = System.nanoTime();
        var java = new ProcessBuilder(java().toString(), "-version")
                .redirectErrorStream(true)
                .start();
        java.getInputStream().transferTo(OutputStream.nullOutputStream());
        java.waitFor();
        return (System.nanoTime() - start) / 1e9;
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private static double secondsToFirstAnswer(JarCommand command) {
        var start = System.nanoTime();
        try (var server = command.start()) {
            server.api().get("/v1/auth/me").expect(401);
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private void memory() {
        var command = MeasuredServer.command(folder.resolve("memory")).java("-Xmx128m");
        try (var server = MeasuredServer.start(command)) {
            var project = server.firstProject();
            var accounts = IntStream.range(0, ACCOUNTS)
                    .mapToObj(i -> Account.of(project, project.signUpInVariantB()))
                    .toList();
            IntStream.range(0, REQUESTS).parallel().forEach(i -> mixed(project, accounts, i));
            report.fact("residentMibAfter" + REQUESTS + "RequestsWithXmx128m", (double)
                    server.process().residentMib());
            assertThat(server.jar().output()).doesNotContain("OutOfMemoryError").doesNotContain(" ERROR ");
        }
    }

    /**
     * One request in ten hashes a password. Only the first account signs in: its older sessions end, so no other call
     * uses it.
     */
    private static void mixed(TestProject project, List<Account> accounts, int i) {
        var account = accounts.get(1 + i % (accounts.size() - 1));
        switch (i % 20) {
            case 0 -> project.signUp();
            case 1 -> project.signIn(accounts.get(0).email());
            case 2, 3, 4, 5, 6, 7 -> project.me(account.accessToken()).expect(200);
            case 8, 9, 10, 11, 12, 13 ->
                project.refreshAccessToken(account.refreshToken()).expect(200);
            default -> project.verify(account.accessToken()).expect(200);
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
