package dev.vestibule.benchmark;

import io.vertx.core.buffer.Buffer;
import java.util.UUID;
import java.util.function.Supplier;

/** One client of a load: which request it sends next, and what it does with a response. */
interface Client {
    Buffer next();

    int expectedStatus();

    default void answered(String response) {}

    /** Repeats the same request. */
    static Client repeating(int expectedStatus, Buffer request) {
        return sending(expectedStatus, () -> request);
    }

    private static Client sending(int expectedStatus, Supplier<Buffer> requests) {
        return new Client() {
            @Override
            public Buffer next() {
                return requests.get();
            }

            @Override
            public int expectedStatus() {
                return expectedStatus;
            }
        };
    }

    static Client signingUp(String key) {
        return sending(201, () -> post("/v1/auth/signup", key, credentials(UUID.randomUUID() + "@example.com")));
    }

    static Client signingIn(String key, String email) {
        return repeating(200, post("/v1/auth/signin", key, credentials(email)));
    }

    static Client getting(String path, String accessToken) {
        return repeating(200, get(path, accessToken));
    }

    /** Sends the refresh token of the previous response. */
    static Client refreshing(String key, String firstRefreshToken) {
        return new Client() {
            private static final String FIELD = "\"refreshToken\":\"";
            private String token = firstRefreshToken;

            @Override
            public Buffer next() {
                return post("/v1/auth/token/refresh", key, "{\"refreshToken\":\"" + token + "\"}");
            }

            @Override
            public int expectedStatus() {
                return 200;
            }

            @Override
            public void answered(String response) {
                var start = response.indexOf(FIELD) + FIELD.length();
                token = response.substring(start, response.indexOf('"', start));
            }
        };
    }

    static String credentials(String email) {
        return credentials(email, "correct horse battery");
    }

    static String credentials(String email, String password) {
        return "{\"email\":\"" + email + "\",\"password\":\"" + password + "\"}";
    }

    static Buffer get(String path, String accessToken) {
        return Buffer.buffer(
                "GET " + path + " HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer " + accessToken + "\r\n\r\n");
    }

    static Buffer post(String path, String key, String json) {
        return Buffer.buffer("POST " + path + " HTTP/1.1\r\nhost: localhost\r\nx-api-key: " + key
                + "\r\ncontent-type: application/json\r\ncontent-length: " + json.length() + "\r\n\r\n" + json);
    }
}
