package dev.vestibule.telemetry.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Runs the jar with little memory and no other JVM option, and uses the memory up in ways that swallow the error. */
class OutOfMemoryIT {
    private static final long TIMEOUT_SECONDS = 60;
    private static final Path JAR = Path.of("target", "vestibule.jar").toAbsolutePath();

    enum Way {
        AN_EVENT_LOOP {
            @Override
            void run() {
                Vertx.vertx().runOnContext(start -> fill(new ArrayList<>()));
            }
        },
        A_HANDLER_OF_A_REQUEST_BODY {
            @Override
            void run() {
                var hoard = Buffer.buffer();
                Vertx.vertx().setPeriodic(1, tick -> hoard.appendBytes(new byte[1024 * 1024]));
            }
        },
        A_FUTURE_WHOSE_FAILURE_IS_LOGGED {
            @Override
            void run() {
                Future.succeededFuture()
                        .<Void>compose(start -> {
                            throw new OutOfMemoryError("direct buffer memory");
                        })
                        .onFailure(failure -> LoggerFactory.getLogger(Way.class)
                                .error("It failed", new IllegalStateException(failure)));
            }
        };

        abstract void run();

        static void fill(List<byte[]> hoard) {
            while (true) {
                hoard.add(new byte[1000]);
            }
        }
    }

    private static Path testClasses() {
        return Path.of(URI.create(OutOfMemoryIT.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
    }

    /** The process. */
    public static void main(String[] arguments) {
        OutOfMemoryWatch.install();
        Way.valueOf(arguments[0]).run();
    }

    @ParameterizedTest
    @EnumSource
    void theProcessEndsImmediately(Way way) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        JAR + File.pathSeparator + testClasses(),
                        OutOfMemoryIT.class.getName(),
                        way.name())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(OutOfMemoryWatch.EXIT_CODE);
        } finally {
            process.destroyForcibly();
        }
    }
}
