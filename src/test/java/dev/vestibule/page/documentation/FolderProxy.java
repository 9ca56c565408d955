package dev.vestibule.page.documentation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** Serves a folder of another server as its own root, like a reverse proxy. */
final class FolderProxy implements AutoCloseable {
    private static final List<String> PASSED =
            List.of("Accept-Language", "Content-Type", "Cookie", "Origin", "Sec-Fetch-Site");
    private static final List<String> RETURNED =
            List.of("Content-Security-Policy", "Content-Type", "Location", "Set-Cookie");

    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpServer server;
    private final String folder;

    /** Its host name differs from that of the test server. */
    FolderProxy(String folder) throws IOException {
        this.folder = folder;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::pass);
        server.start();
    }

    URI root() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            var asked = exchange.getRequestURI().toString().substring(1);
            var request = HttpRequest.newBuilder(URI.create(folder + asked))
                    .method(
                            exchange.getRequestMethod(),
                            BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
            PASSED.forEach(name -> exchange.getRequestHeaders()
                    .getOrDefault(name, List.of())
                    .forEach(value -> request.header(name, value)));
            var answer = http.send(request.build(), BodyHandlers.ofByteArray());
            RETURNED.forEach(name -> answer.headers()
                    .allValues(name)
                    .forEach(value -> exchange.getResponseHeaders().add(name, value)));
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
