package dev.vestibule.benchmark;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A minimal HTTP server: one constant response, with the same server options, in its own process. */
final class StaticServer implements AutoCloseable {
    private final Process process;
    private final int port;

    private StaticServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** The body has the length of the response that it is compared to. */
    static StaticServer start(int bodyLength) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StaticServer.class.getName(),
                        Integer.toString(bodyLength))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var output = process.inputReader();
        var line = output.readLine();
        while (line != null && !line.startsWith("> ")) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException("the static server did not start");
        }
        return new StaticServer(process, Integer.parseInt(line.substring(2)));
    }

    CpuClock clock() {
        return CpuClock.of(process.toHandle());
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        var body = Buffer.buffer("{\"value\":\"" + "x".repeat(Integer.parseInt(arguments[0]) - 12) + "\"}");
        var cores = Runtime.getRuntime().availableProcessors();
        var vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(cores));
        var port = new AtomicInteger();
        vertx.deployVerticle(() -> new Answering(body, port), new DeploymentOptions().setInstances(cores))
                .await();
        System.out.println("> " + port.get());
    }

    private static final class Answering extends VerticleBase {
        private final Buffer body;
        private final AtomicInteger port;

        Answering(Buffer body, AtomicInteger port) {
            this.body = body;
            this.port = port;
        }

        @Override
        public Future<HttpServer> start() {
            return vertx.createHttpServer(new HttpServerOptions()
                            .setPort(0)
                            .setIdleTimeout(60)
                            .setIdleTimeoutUnit(TimeUnit.SECONDS))
                    .requestHandler(request -> request.response()
                            .putHeader("content-type", "application/json")
                            .end(body))
                    .listen()
                    .onSuccess(server -> port.set(server.actualPort()));
        }
    }
}
