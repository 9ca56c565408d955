package dev.vestibule.access.captcha;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.config.CaptchaSettings;
import dev.vestibule.database.Database;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.outbound.Destination;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundResponse;
import dev.vestibule.project.CaptchaProvider;
import dev.vestibule.project.Project;
import io.netty.handler.codec.http.QueryStringEncoder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies solutions with Turnstile or hCaptcha, whose interface for this is the same. They learn the solution and
 * nothing of the person; each verifies a solution once.
 */
final class SiteVerification {
    private static final Logger LOG = LoggerFactory.getLogger(SiteVerification.class);
    private static final Duration WARNING_PAUSE = Duration.ofMinutes(1);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final int MAX_BODY = 16 * 1024;
    private static final int MAX_CONNECTIONS = 16;
    private static final int OK = 200;

    /** Errors that the owner of the project can do something about, and the person cannot. */
    private static final Set<String> OF_OWNER = Set.of(
            "missing-input-secret",
            "invalid-input-secret",
            "sitekey-secret-mismatch",
            "invalid-or-already-seen-secret",
            "bad-request",
            "internal-error");

    /** The provider gave no verdict, so nobody knows whether the solution was right. */
    static final class UnverifiedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnverifiedException(String message) {
            super(message, null, false, false);
        }
    }

    private final Database database;
    private final OutboundClient client;
    private final SiteSecretStore secrets;
    private final Destination turnstile;
    private final Destination hcaptcha;
    private final Clock clock;
    private final AtomicLong quietUntilMillis = new AtomicLong();

    /** The operator sets the URLs, so they can be in a private network. */
    SiteVerification(Vertx vertx, Database database, SiteSecretStore secrets, CaptchaSettings settings, Clock clock) {
        this.database = database;
        this.secrets = secrets;
        this.client = new OutboundClient(
                vertx,
                new OutboundClient.Limits(
                        settings.providerTimeout(), settings.providerTimeout(), MAX_BODY, MAX_CONNECTIONS, KEEP_ALIVE),
                true);
        this.turnstile = Destination.of(settings.turnstileUrl());
        this.hcaptcha = Destination.of(settings.hcaptchaUrl());
        this.clock = clock;
    }

    /** Whether the project's provider accepts the solution; fails if it does not say so in time. */
    Future<Boolean> accept(Project project, String token) {
        return secrets.find(database.reads(), project.id())
                .map(found -> found.orElseThrow(() -> new UnverifiedException("the project has no secret key")))
                .compose(secret -> client.send(
                        HttpMethod.POST,
                        project.bots().provider() == CaptchaProvider.TURNSTILE ? turnstile : hcaptcha,
                        HttpHeaders.headers()
                                .set(HttpHeaders.CONTENT_TYPE, "application/x-www-form-urlencoded")
                                .set(HttpHeaders.ACCEPT, "application/json")
                                .set(HttpHeaders.USER_AGENT, "vestibule"),
                        form(project, secret, token)))
                .map(SiteVerification::verdict)
                .onFailure(failure -> warn(project, failure));
    }

    private static Buffer form(Project project, String secret, String token) {
        var form = new QueryStringEncoder("");
        form.addParam("secret", secret);
        form.addParam("response", token);
        var siteKey = project.bots().siteKey();
        if (siteKey != null && project.bots().provider() == CaptchaProvider.HCAPTCHA) {
            form.addParam("sitekey", siteKey);
        }
        return Buffer.buffer(form.toString().substring(1)); // without the question mark
    }

    private static boolean verdict(OutboundResponse response) {
        if (response.status() != OK || response.isTruncated()) {
            throw new UnverifiedException("it answered with status " + response.status());
        }
        JsonNode answer;
        try {
            answer = Json.parse(response.body());
        } catch (MalformedJsonException noJson) {
            throw new UnverifiedException("it did not answer in JSON");
        }
        if (answer.path("success").asBoolean()) {
            return true;
        }
        for (var code : answer.path("error-codes")) {
            if (OF_OWNER.contains(code.asText())) {
                throw new UnverifiedException("it answered " + code.asText());
            }
        }
        if (!answer.path("success").isBoolean()) {
            throw new UnverifiedException("it did not answer in its own format");
        }
        return false;
    }

    private void warn(Project project, Throwable failure) {
        var now = clock.millis();
        var quietUntil = quietUntilMillis.get();
        if (now >= quietUntil && quietUntilMillis.compareAndSet(quietUntil, now + WARNING_PAUSE.toMillis())) {
            LOG.warn(
                    "{} does not verify captchas of project {}: {}",
                    project.bots().provider().text(),
                    project.id(),
                    failure.getMessage());
        }
    }
}
