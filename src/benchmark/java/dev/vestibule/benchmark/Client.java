package dev.vestibule.benchmark;

import dev.vestibule.fixture.TestProject;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.UUID;

/** One client of a load: which request it sends next, and which response is the right one. */
interface Client {
    Buffer next();

    /** Whether the response is right; the client may learn from it what to send next. */
    boolean accepts(String response);

    /** Repeats a request whose right response has this status and contains this text. */
    static Client repeating(Buffer request, int status, String text) {
        return new Client() {
            @Override
            public Buffer next() {
                return request;
            }

            @Override
            public boolean accepts(String response) {
                return hasStatus(response, status) && response.contains(text);
            }
        };
    }

    /** Uses the clients in turn. */
    static Client inTurns(List<Client> clients) {
        return new Client() {
            private int turn = -1;

            @Override
            public Buffer next() {
                turn = (turn + 1) % clients.size();
                return clients.get(turn).next();
            }

            @Override
            public boolean accepts(String response) {
                return clients.get(turn).accepts(response);
            }
        };
    }

    static Client verifying(Account account) {
        return asking("/v1/auth/token/verify", account);
    }

    static Client askingForMe(Account account) {
        return asking("/v1/auth/me", account);
    }

    /** The answer names the user, so one that is meant for another user is noticed. */
    private static Client asking(String path, Account account) {
        var request = request("GET", path, "authorization: Bearer " + account.accessToken(), "");
        return repeating(request, 200, account.email());
    }

    static Client signingIn(Account account) {
        var credentials = credentials(account.email(), TestProject.PASSWORD);
        return repeating(post("/v1/auth/signin", account.publishableKey(), credentials), 200, account.email());
    }

    /** Signs up again and again, with new emails. */
    static Client signingUp(String key) {
        return new Client() {
            private String email = "";

            @Override
            public Buffer next() {
                email = UUID.randomUUID() + "@example.com";
                return post("/v1/auth/signup", key, credentials(email, TestProject.PASSWORD));
            }

            @Override
            public boolean accepts(String response) {
                return hasStatus(response, 201) && response.contains(email);
            }
        };
    }

    /** Sends the refresh token of the previous response. */
    static Client refreshing(Account account) {
        return new Client() {
            private String token = account.refreshToken();

            @Override
            public Buffer next() {
                return post("/v1/auth/token/refresh", account.publishableKey(), "{\"refreshToken\":\"" + token + "\"}");
            }

            @Override
            public boolean accepts(String response) {
                var isRight = hasStatus(response, 200) && response.contains(account.email());
                if (isRight) {
                    token = field(response, "refreshToken");
                }
                return isRight;
            }
        };
    }

    static boolean hasStatus(String response, int status) {
        return response.startsWith("HTTP/1.1 " + status + " ");
    }

    /** The first text field of this name. */
    static String field(String response, String name) {
        var begin = "\"" + name + "\":\"";
        var start = response.indexOf(begin) + begin.length();
        return response.substring(start, response.indexOf('"', start));
    }

    static String credentials(String email, String password) {
        return "{\"email\":\"" + email + "\",\"password\":\"" + password + "\"}";
    }

    static Buffer post(String path, String key, String json) {
        return request("POST", path, "x-api-key: " + key + "\r\ncontent-type: application/json", json);
    }

    /** The header lines are separated by CR LF. */
    static Buffer request(String method, String path, String headers, String body) {
        return Buffer.buffer(method + " " + path + " HTTP/1.1\r\nhost: localhost\r\n" + headers + "\r\ncontent-length: "
                + body.length() + "\r\n\r\n" + body);
    }
}
