package dev.vestibule.verifier;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The sessions and grants of a project that ended before their tokens did. A thread of its own keeps it up to date with
 * the server, so that a look at it costs no request. Make one for the whole application.
 */
public final class RevocationList implements AutoCloseable {
    /** How long the server holds a request for the next revocation. */
    private static final int POLL_MILLIS = 300;

    private static final Duration MAX_AGE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAGE = Duration.ofSeconds(10);
    private static final long CLEAN_SECONDS = 60;

    private final String feed;
    private final String secretKey;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(LONGEST_POLL).build();
    private final Map<UUID, Long> ended = new ConcurrentHashMap<>(); // and when the last token of each has expired
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread thread = new Thread(this::follow, "vestibule-revocations");
    private volatile long completeAtNanos = System.nanoTime() - MAX_AGE.toNanos();
    private volatile boolean isClosed;
    private String cursor = "";
    private long cleanedAt;

    /** Follows the revocations of the secret key's project at the server's public URL. */
    public RevocationList(String url, String secretKey) {
        this.feed = url + "/v1/backend/revocations?limit=10000";
        this.secretKey = secretKey;
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for the first complete list; false if it does not come in time. */
    public boolean await(Duration time) throws InterruptedException {
        return ready.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether everything that ended more than a second ago is in the list. If not, no token can be trusted. */
    public boolean isCurrent() {
        return System.nanoTime() - completeAtNanos < MAX_AGE.toNanos();
    }

    /**
     * Whether the session or grant of a token has ended, by its claims {@code sid} and {@code jti}; either may be null.
     */
    public boolean contains(String sid, String jti) {
        return hasEnded(sid) || hasEnded(jti == null ? null : jti.split("\\.", 2)[0]);
    }

    private boolean hasEnded(String id) {
        try {
            return id != null && ended.containsKey(UUID.fromString(id));
        } catch (IllegalArgumentException notAnId) {
            return true; // not a token of the server
        }
    }

    /** How many it holds. */
    public int size() {
        return ended.size();
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }

    private void follow() {
        while (!isClosed) {
            try {
                read();
            } catch (IOException | ParseException | RuntimeException failure) {
                pause(); // the list gets old, and tokens are refused
            } catch (InterruptedException closed) {
                return;
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() throws IOException, InterruptedException, ParseException {
        var askedAt = System.nanoTime();
        var after = cursor.isEmpty()
                ? ""
                : "&waitMilliseconds=" + POLL_MILLIS + "&after=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(URI.create(feed + after))
                .header("x-api-key", secretKey)
                .timeout(isCurrent() ? LONGEST_POLL : LONGEST_PAGE)
                .build();
        var response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("the feed answered " + response.statusCode());
        }
        var page = JSONObjectUtils.parse(response.body());
        for (var revocation : JSONObjectUtils.getJSONObjectArray(page, "revocations")) {
            ended.put(
                    UUID.fromString(JSONObjectUtils.getString(revocation, "id")),
                    JSONObjectUtils.getLong(revocation, "exp"));
        }
        cursor = JSONObjectUtils.getString(page, "cursor");
        if (!JSONObjectUtils.getBoolean(page, "hasMore")) {
            completeAtNanos = askedAt;
            ready.countDown();
            clean(System.currentTimeMillis() / 1000);
        }
    }

    private void clean(long now) {
        if (now - cleanedAt > CLEAN_SECONDS) {
            cleanedAt = now;
            ended.values().removeIf(exp -> exp < now);
        }
    }
}
