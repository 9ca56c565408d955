package dev.vestibule.benchmark;

import dev.vestibule.fixture.TestProject;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The life cycle of one user: signs up, uses and refreshes the session, mistypes the password, signs in, is found in a
 * list, signs out, after which the token is refused, and is deleted by the application.
 */
final class Visitor implements Client {
    private static final int USES = 10;

    private record Step(Supplier<Buffer> request, Predicate<String> isRight) {}

    private final TestProject project;
    private final String address;
    private final String email = UUID.randomUUID() + "@example.com";
    private final Queue<Step> steps = new ArrayDeque<>();
    private Step step;
    private String accessToken = "";
    private String refreshToken = "";
    private String id = "";

    /** The address is the one that a trusted proxy sends. */
    Visitor(TestProject project, String address) {
        this.project = project;
        this.address = address;
        add(() -> post("/v1/auth/signup", Client.credentials(email, TestProject.PASSWORD)), this::isSignedUp);
        for (int i = 0; i < USES; i++) {
            use();
        }
        add(() -> post("/v1/auth/signin", Client.credentials(email, "a wrong password")), has(401));
        add(() -> post("/v1/auth/signin", Client.credentials(email, TestProject.PASSWORD)), this::isSignedIn);
        use();
        add(() -> manage("GET", "/v1/dashboard/users?search=" + email), this::isMine);
        add(() -> authorized("POST", "/v1/auth/signout", accessToken), has(200));
        add(() -> authorized("GET", "/v1/auth/token/verify", accessToken), has(401));
        add(() -> manage("DELETE", "/v1/dashboard/users/" + id), has(200));
        step = steps.element();
    }

    private void use() {
        add(() -> authorized("GET", "/v1/auth/token/verify", accessToken), this::isMine);
        add(() -> authorized("GET", "/v1/auth/me", accessToken), this::isMine);
        add(() -> authorized("GET", "/v1/auth/token/verify", accessToken), this::isMine);
        add(() -> post("/v1/auth/token/refresh", "{\"refreshToken\":\"" + refreshToken + "\"}"), this::isSignedIn);
    }

    private void add(Supplier<Buffer> request, Predicate<String> isRight) {
        steps.add(new Step(request, isRight));
    }

    boolean isDone() {
        return steps.isEmpty();
    }

    @Override
    public Buffer next() {
        step = steps.remove();
        return step.request().get();
    }

    @Override
    public boolean accepts(String response) {
        return step.isRight().test(response);
    }

    private static Predicate<String> has(int status) {
        return response -> Client.hasStatus(response, status);
    }

    private boolean isMine(String response) {
        return Client.hasStatus(response, 200) && response.contains(email);
    }

    private boolean isSignedUp(String response) {
        if (!Client.hasStatus(response, 201)) {
            return false;
        }
        keepTokens(response);
        id = Client.field(response.substring(response.indexOf("\"user\"")), "id");
        return true;
    }

    private boolean isSignedIn(String response) {
        if (!isMine(response)) {
            return false;
        }
        keepTokens(response);
        return true;
    }

    private void keepTokens(String response) {
        accessToken = Client.field(response, "accessToken");
        refreshToken = Client.field(response, "refreshToken");
    }

    private Buffer post(String path, String json) {
        return Client.request(
                "POST",
                path,
                from("x-api-key: " + project.publishableKey() + "\r\ncontent-type: application/json"),
                json);
    }

    private Buffer authorized(String method, String path, String token) {
        return Client.request(method, path, from("authorization: Bearer " + token), "");
    }

    private Buffer manage(String method, String path) {
        return Client.request(method, path, "x-api-key: " + project.secretKey(), "");
    }

    private String from(String headers) {
        return headers + "\r\nx-forwarded-for: " + address;
    }
}
