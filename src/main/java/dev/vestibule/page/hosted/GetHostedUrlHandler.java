package dev.vestibule.page.hosted;

import dev.vestibule.access.Caller;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.Pkce;
import dev.vestibule.oauth.RedirectRules;
import dev.vestibule.oauth.RedirectUrl;
import dev.vestibule.project.Language;
import dev.vestibule.user.UserFields;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/** {@code GET /v1/auth/hosted/url}: where to send a browser to sign in at the hosted page. */
public final class GetHostedUrlHandler implements ApiHandler {
    /** How long a person may take on the page. */
    private static final Duration LIFETIME = Duration.ofHours(1);

    private static final int STATE_BYTES = 32;
    private static final int MAX_STATE = 256;

    /** What the application gets with a code, or might get (RFC 6749, 4.1.2; RFC 9207). */
    private static final Set<String> RESPONSE_PARAMETERS = Set.of("code", "state", "error", "iss");

    private record Response(String url, String state) {}

    private final HostedRequest.Signer signer;
    private final URI publicUrl;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    GetHostedUrlHandler(HostedRequest.Signer signer, URI publicUrl, RedirectUrl ownRedirect, Clock clock) {
        this.signer = signer;
        this.publicUrl = publicUrl;
        this.ownRedirect = ownRedirect;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var rules = new RedirectRules(project, ownRedirect);
        var request = Fields.read(Query.of(ctx), fields -> request(fields, rules, Caller.isServer(ctx)));
        var url = publicUrl + "/p/" + project.slug() + "/?request=" + signer.write(project.id(), request);
        return Future.succeededFuture(Reply.ok(new Response(url, request.state())));
    }

    private HostedRequest request(Fields fields, RedirectRules rules, boolean byServer) {
        var challenge = byServer
                ? fields.optional("codeChallenge", Pkce::challenge)
                : fields.required("codeChallenge", Pkce::challenge);
        fields.optional("codeChallengeMethod", Pkce::method);
        var state = fields.optional("state", GetHostedUrlHandler::state);
        var screen = fields.optional("screen", GetHostedUrlHandler::screen);
        return new HostedRequest(
                returnTo(fields, rules),
                state == null ? HostedRequest.base64(RandomSecrets.bytes(STATE_BYTES)) : state,
                challenge,
                Objects.requireNonNullElse(screen, Screen.SIGN_IN),
                fields.optional("email", UserFields::email),
                fields.optional("locale", Language::of),
                clock.instant().plus(LIFETIME));
    }

    private static String returnTo(Fields fields, RedirectRules rules) {
        var redirectUri = fields.optional("redirectUri", text -> returnTo(rules, text));
        var returnTo = fields.optional("returnTo", text -> returnTo(rules, text));
        if (redirectUri != null && returnTo != null && !redirectUri.equals(returnTo)) {
            fields.reject("returnTo", "must not differ from redirectUri, which means the same");
        }
        var given = redirectUri == null ? returnTo : redirectUri;
        if (given != null) {
            return given;
        }
        var callbackUrl = rules.callbackUrl().filter(url -> !hasParameterOfOurs(url));
        if (callbackUrl.isEmpty() && !fields.isGiven("redirectUri") && !fields.isGiven("returnTo")) {
            fields.reject("redirectUri", "is required, because the project has no usable callbackUrl");
        }
        return callbackUrl.map(RedirectUrl::text).orElse("");
    }

    private static String returnTo(RedirectRules rules, String text) {
        var url = rules.returnTo(text);
        if (url.fragment() != null) {
            throw new InvalidValueException("must not have a fragment"); // RFC 6749, 3.1.2
        }
        if (hasParameterOfOurs(url)) {
            throw new InvalidValueException("must not have a query parameter code, state, error or iss of its own");
        }
        return url.text();
    }

    /** An application that finds two codes may take the wrong one. */
    private static boolean hasParameterOfOurs(RedirectUrl url) {
        return url.query() != null
                && new QueryStringDecoder(url.query(), false)
                        .parameters().keySet().stream().anyMatch(RESPONSE_PARAMETERS::contains);
    }

    private static Screen screen(String text) {
        return Screen.entry(text)
                .orElseThrow(() -> new InvalidValueException(
                        "must be sign-in, sign-up, forgot-password, sms-code, magic-link or email-code"));
    }

    private static String state(String text) {
        if (text.isEmpty() || text.length() > MAX_STATE) {
            throw new InvalidValueException("must have 1 to " + MAX_STATE + " characters");
        }
        return Text.printable(text);
    }
}
