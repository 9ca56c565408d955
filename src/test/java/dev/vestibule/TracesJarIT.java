package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.TestCollector;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jars must find OpenTelemetry's parts through the service loader, and must not load them unless traces are on. */
@ExtendWith(WithServer.class)
class TracesJarIT {
    private final JarCommand command;

    TracesJarIT(TestDatabase database, @TempDir Path folder) {
        command = JarCommand.in(folder)
                .with("VESTIBULE_DATABASE_URL", database.createDatabase())
                .with("VESTIBULE_SECRET", TestServer.SECRET);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothJarsServeAndExport(boolean isSlim) {
        try (var collector = TestCollector.start()) {
            var traced = isSlim ? command.slim() : command;
            for (var variable : collector.variables().entrySet()) {
                traced = traced.with(variable.getKey(), variable.getValue());
            }
            try (var server = traced.with("OTEL_SERVICE_NAME", "my-sign-in").start()) {
                server.firstProject().signUp("ann@example.com");
                collector.await("a sign up", span -> span.getName().equals("POST /v1/auth/signup"));
                assertThat(collector.services()).containsExactly("my-sign-in");
                assertThat(server.output()).doesNotContain("NoClassDefFoundError", "does not load");
            }
        }
    }

    @Test
    void withoutACollectorNoClassOfOpenTelemetryIsLoaded(@TempDir Path folder) throws Exception {
        var loaded = folder.resolve("classes.txt");
        try (var server = command.addJava("-Xlog:class+load:file=" + loaded).start()) {
            server.firstProject().signUp("ann@example.com");
        }
        assertThat(Files.readString(loaded))
                .contains("dev.vestibule.Server", "dev.vestibule.telemetry.trace.WorkTracer")
                .doesNotContain("io.opentelemetry", "dev.vestibule.telemetry.trace.otlp");
    }
}
