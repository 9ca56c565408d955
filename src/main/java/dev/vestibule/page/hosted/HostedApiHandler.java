package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.oauth.Pkce;
import dev.vestibule.authentication.oauth.RedirectRules;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.page.hosted.HostedCodes.Redemption;
import dev.vestibule.page.hosted.HostedRequest.ReturnTo;
import dev.vestibule.project.Language;
import dev.vestibule.user.UserFields;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Objects;
import java.util.Set;

/** The operations of the hosted page for applications, {@code /v1/auth/hosted}: one method per operation. */
public final class HostedApiHandler {
    private static final int STATE_BYTES = 32;
    private static final int MAX_STATE = 256;
    private static final int MAX_CODE = 256;

    /** The parameters that the page adds to the application's URL, or may add later (RFC 6749, 4.1.2; RFC 9207). */
    private static final Set<String> RESPONSE_PARAMETERS = Set.of("code", "state", "error", "iss");

    private record Response(String url, String state) {}

    private final HostedRequests requests;
    private final HostedCodes codes;
    private final Clock clock;

    HostedApiHandler(HostedRequests requests, HostedCodes codes, Clock clock) {
        this.requests = requests;
        this.codes = codes;
        this.clock = clock;
    }

    /** {@code GET /v1/auth/hosted/url}: the URL for a browser to sign in at the hosted page. */
    public Future<Reply> url(ApiRequest request) {
        var project = request.project();
        var rules = requests.rules(project);
        var input = Fields.read(request.queryFields(), fields -> request(fields, rules, request.isServer()));
        var url = requests.page(project) + "?request=" + requests.write(project, input);
        return Future.succeededFuture(
                Reply.ok(new Response(url, input.returnTo().state())));
    }

    private HostedRequest request(Fields fields, RedirectRules rules, boolean byServer) {
        var challenge = byServer
                ? fields.optional("codeChallenge", Pkce::challenge)
                : fields.required("codeChallenge", Pkce::challenge);
        fields.optional("codeChallengeMethod", Pkce::method);
        var state = fields.optional("state", HostedApiHandler::state);
        var screen = fields.optional("screen", HostedApiHandler::screen);
        return new HostedRequest(
                new ReturnTo(
                        returnTo(fields, rules),
                        state == null ? SignedFields.base64(RandomSecrets.bytes(STATE_BYTES)) : state,
                        challenge),
                Objects.requireNonNullElse(screen, Screen.SIGN_IN),
                fields.optional("email", UserFields::email),
                fields.optional("locale", Language::of),
                clock.instant().plus(HostedRequests.LIFETIME),
                fields.optional("prompt", HostedApiHandler::prompt) != null,
                null);
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
        var callbackUrl = rules.callbackUrl().filter(url -> !hasReservedParameter(url));
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
        if (hasReservedParameter(url)) {
            throw new InvalidValueException("must not have a query parameter code, state, error or iss of its own");
        }
        return url.text();
    }

    /** An application that gets two codes might use the wrong one. */
    private static boolean hasReservedParameter(RedirectUrl url) {
        return url.query() != null
                && new QueryStringDecoder(url.query(), false)
                        .parameters().keySet().stream().anyMatch(RESPONSE_PARAMETERS::contains);
    }

    private static Screen screen(String text) {
        return Screen.entry(text)
                .orElseThrow(() -> new InvalidValueException(
                        "must be sign-in, sign-up, forgot-password, sms-code, magic-link or email-code"));
    }

    private static String prompt(String text) {
        if (!text.equals("login")) {
            throw new InvalidValueException("must be login");
        }
        return text;
    }

    private static String state(String text) {
        if (text.isEmpty() || text.length() > MAX_STATE) {
            throw new InvalidValueException("must have 1 to " + MAX_STATE + " characters");
        }
        return Text.printable(text);
    }

    /** {@code POST /v1/auth/hosted/callback}: the tokens for the code that a browser has brought back from the page. */
    public Future<Reply> callback(ApiRequest request) {
        return codes.redeem(request.fields(fields -> redemption(request, fields)), () -> request.trail())
                .map(Reply::ok);
    }

    private static Redemption redemption(ApiRequest request, Fields fields) {
        return new Redemption(
                request.project(),
                request.isServer(),
                fields.required("code", text -> Text.line(text, MAX_CODE)),
                fields.optional("codeVerifier", Pkce::verifier),
                fields.optional("redirectUri", text -> RedirectUrl.of(text).text()));
    }
}
