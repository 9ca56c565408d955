package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.server.DeviceRequestStore.Poll;
import dev.vestibule.oauth.server.DeviceRequestStore.Waiting;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;

/**
 * Devices that show a code, which their person types in a browser elsewhere (RFC 8628): their requests and questions.
 */
final class DeviceFlow {
    /** How long a device waits for its person. */
    static final Duration LIFETIME = Duration.ofMinutes(10);

    /** How long after that it is told so. */
    static final Duration REMEMBERED = Duration.ofMinutes(10);

    /** Without vowels, so that no code is a word, and without letters that look alike (RFC 8628, 6.1). */
    private static final String ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";

    private static final String TYPED = ALPHABET + "bcdfghjklmnpqrstvwxz";
    private static final int HALF = 4;
    private static final int DEVICE_CODE_BYTES = 32;
    private static final int INTERVAL = 5; // seconds
    private static final int MAX_WAITING = 10_000;

    /** So many that an office can sign its devices in, and so few that no network keeps those of all others out. */
    private static final int MAX_WAITING_IN_NETWORK = 50;

    /** The answer to a device (RFC 8628, 3.2). */
    record Begun(
            @JsonProperty("device_code") String deviceCode,
            @JsonProperty("user_code") String userCode,
            @JsonProperty("verification_uri") String verificationUri,
            @JsonProperty("verification_uri_complete") String verificationUriComplete,
            @JsonProperty("expires_in") long expiresIn,
            int interval) {
        @Override
        public String toString() {
            return "Begun";
        }
    }

    private final Database database;
    private final URI publicUrl;
    private final Registry registry;
    private final KeyedHash networks;
    private final DeviceRequestStore requests = new DeviceRequestStore();
    private final Clock clock;

    DeviceFlow(Database database, Registry registry, URI publicUrl, KeyedHash networks, Clock clock) {
        this.database = database;
        this.registry = registry;
        this.publicUrl = publicUrl;
        this.networks = networks;
        this.clock = clock;
    }

    /** Checks and keeps the request of a device; fails with an {@link OauthError}. */
    Future<Begun> begin(ApiRequest request, Client client, Parameters given) {
        if (!client.deviceFlow()) {
            return Future.failedFuture(OauthError.unauthorizedClient());
        }
        var project = request.project();
        var now = clock.instant();
        var network = Buffer.buffer(networks.hash(request.network().getBytes()));
        return requests.count(database.reads(), project.id(), client.id(), now, network)
                .compose(waiting -> {
                    if (waiting.ofNetwork() >= MAX_WAITING_IN_NETWORK) {
                        throw OauthError.of(
                                "temporarily_unavailable", "Too many devices of this network wait for this client.");
                    }
                    if (waiting.total() >= MAX_WAITING) {
                        throw OauthError.of("temporarily_unavailable", "Too many devices wait for this client.");
                    }
                    return registry.resources(project.id());
                })
                .compose(all -> {
                    var named = AuthorizationRequestReader.resources(given.resources(), all);
                    var code = Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(RandomSecrets.bytes(DEVICE_CODE_BYTES));
                    var device = request.device();
                    return add(
                            project,
                            code,
                            new Waiting(
                                    DeviceRequestStore.hash(code),
                                    client.id(),
                                    AuthorizationRequestReader.scopes(given.words("scope"), named),
                                    named.stream().map(Resource::uri).toList(),
                                    device.ipAddress(),
                                    device.country(),
                                    now),
                            network);
                });
    }

    private Future<Begun> add(Project project, String deviceCode, Waiting waiting, Buffer network) {
        var userCode = RandomSecrets.text(ALPHABET, 2 * HALF);
        return requests.add(
                        database.writes(),
                        project.id(),
                        userCode,
                        waiting,
                        network,
                        INTERVAL,
                        waiting.createdAt().plus(LIFETIME))
                .compose(isAdded -> {
                    if (!isAdded) {
                        return add(project, deviceCode, waiting, network); // another device has just got the same code
                    }
                    var shown = userCode.substring(0, HALF) + "-" + userCode.substring(HALF);
                    var page = publicUrl + "/p/" + project.slug() + "/device";
                    return Future.succeededFuture(new Begun(
                            deviceCode, shown, page, page + "?user_code=" + shown, LIFETIME.toSeconds(), INTERVAL));
                });
    }

    /** The code, however people type it: in any case, with or without the hyphen, and with spaces. */
    static String normalized(String userCode) {
        var letters = new StringBuilder();
        userCode.chars()
                .map(TYPED::indexOf)
                .filter(index -> index >= 0)
                .limit(2 * HALF + 1)
                .forEach(index -> letters.append(ALPHABET.charAt(index % ALPHABET.length())));
        return letters.toString();
    }

    /** Fails with what the device has to know while its person has not agreed; succeeds if nobody is asked any more. */
    Future<Void> requireAnswered(ProjectId project, Client client, String deviceCode) {
        var now = clock.instant();
        return requests.poll(database.writes(), project, client.id(), deviceCode, now, INTERVAL)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture()
                        : Future.failedFuture(
                                found.get().expiresAt().isAfter(now)
                                        ? unanswered(found.get())
                                        : OauthError.of("expired_token", "Nobody has typed the code in time.")));
    }

    /** RFC 8628, 3.5. */
    private static OauthError unanswered(Poll poll) {
        return poll.isRefused()
                ? OauthError.of("access_denied", "The person did not agree.")
                : poll.isTooSoon()
                        ? OauthError.of("slow_down", "Ask " + INTERVAL + " seconds later from now on.")
                        : OauthError.of("authorization_pending", "The person has not decided yet.");
    }
}
