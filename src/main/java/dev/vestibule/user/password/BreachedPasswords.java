package dev.vestibule.user.password;

import dev.vestibule.config.PasswordSettings;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundResponse;
import dev.vestibule.telemetry.metrics.PasswordMeters;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks passwords up with the range API of Pwned Passwords, if the operator has enabled that. The service learns five
 * digits of the SHA-1, which hundreds of other passwords share, and padding hides how many entries it returns. If it
 * does not answer properly, the password passes: a service that is down must not stop sign ups.
 */
public final class BreachedPasswords {
    private static final Logger LOG = LoggerFactory.getLogger(BreachedPasswords.class);
    private static final Duration WARNING_PAUSE = Duration.ofMinutes(1);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final int MAX_BODY = 512 * 1024; // a padded response has about 40 KB
    private static final int MAX_CONNECTIONS = 8;
    private static final int PREFIX = 5;
    private static final Pattern ENTRY = Pattern.compile("[0-9A-Fa-f]{35}:[0-9]{1,12}");

    private static final class UnusableResponseException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableResponseException(int status) {
            super("status " + status + " and no whole list of hashes", null, false, false);
        }
    }

    private final Optional<OutboundClient> client;
    private final URI service;
    private final PasswordMeters meters;
    private final Clock clock;
    private final AtomicLong quietUntilMillis = new AtomicLong();

    public BreachedPasswords(Vertx vertx, PasswordSettings settings, PasswordMeters meters, Clock clock) {
        var limits = new OutboundClient.Limits(
                settings.breachTimeout(), settings.breachTimeout(), MAX_BODY, MAX_CONNECTIONS, KEEP_ALIVE);
        this.client = settings.breachCheck() ? Optional.of(new OutboundClient(vertx, limits, true)) : Optional.empty();
        this.service = settings.breachUrl();
        this.meters = meters;
        this.clock = clock;
    }

    /** Also false if the look-up is disabled or the service does not answer. */
    Future<Boolean> contains(String password) {
        return client.map(open -> lookUp(open, password)).orElseGet(() -> Future.succeededFuture(false));
    }

    private Future<Boolean> lookUp(OutboundClient open, String password) {
        var hash = sha1(password);
        var range = URI.create(service + "/range/" + hash.substring(0, PREFIX));
        return open.send(HttpMethod.GET, range, headers(), null)
                .map(response -> isListed(response, hash.substring(PREFIX)))
                .onSuccess(meters::lookedUp)
                .recover(failure -> Future.succeededFuture(passUnchecked(failure)));
    }

    private static MultiMap headers() {
        return HttpHeaders.headers()
                .add(HttpHeaders.USER_AGENT, "vestibule")
                .add("Add-Padding", "true")
                .add(HttpHeaders.ACCEPT, "text/plain");
    }

    /** Entries with the count 0 are padding. */
    private static boolean isListed(OutboundResponse response, String suffix) {
        var entries =
                response.body().toString(StandardCharsets.US_ASCII).lines().toList();
        if (response.status() != 200 || response.isTruncated() || entries.isEmpty() || !areHashes(entries)) {
            throw new UnusableResponseException(response.status());
        }
        return entries.stream()
                .filter(line -> line.regionMatches(true, 0, suffix, 0, suffix.length()))
                .anyMatch(line -> Long.parseLong(line.substring(suffix.length() + 1)) > 0);
    }

    private static boolean areHashes(List<String> entries) {
        return entries.stream().allMatch(entry -> ENTRY.matcher(entry).matches());
    }

    private boolean passUnchecked(Throwable failure) {
        meters.lookUpFailed();
        var now = clock.millis();
        var quietUntil = quietUntilMillis.get();
        if (now >= quietUntil && quietUntilMillis.compareAndSet(quietUntil, now + WARNING_PAUSE.toMillis())) {
            LOG.warn("Passwords pass without a look-up at passwords.breachUrl: {}", failure.toString());
        }
        return false;
    }

    private static String sha1(String password) {
        try {
            var digest = MessageDigest.getInstance("SHA-1").digest(password.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-1", impossible);
        }
    }
}
