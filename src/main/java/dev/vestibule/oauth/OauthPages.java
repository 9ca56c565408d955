package dev.vestibule.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.project.Project;
import dev.vestibule.token.TokenResponse;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The HTML pages that users see at the end of a sign in with a provider; they load nothing from anywhere. */
public final class OauthPages {
    static final String CONFIRMED = "confirmed";

    private static final int NONCE_BYTES = 16;
    private static final int NOT_FOUND = 404;
    private static final String POLICY = "default-src 'none'; script-src 'nonce-%1$s'; style-src 'nonce-%1$s';"
            + " base-uri 'none'; form-action %2$s; frame-ancestors 'none'";

    /** The message for the window that opened ours; only pages of these origins receive it. */
    private record Outcome(List<String> origins, Message message) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Message(
            String type,
            @Nullable TokenResponse tokens,
            @Nullable String error) {}

    private final PebbleTemplate template;

    public OauthPages() {
        try (var file = Objects.requireNonNull(OauthPages.class.getResourceAsStream("/oauth/page.html"))) {
            template = new PebbleEngine.Builder()
                    .strictVariables(true)
                    .build()
                    .getLiteralTemplate(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Posts the tokens to the window that opened ours. */
    Reply success(List<String> origins, TokenResponse tokens) {
        return page(
                200,
                "You are signed in",
                "Go back to the application. You can close this window.",
                Map.of(),
                json(new Outcome(origins, new Message("authon-oauth-callback", tokens, null))),
                "'none'");
    }

    Reply failure(List<String> origins, String message) {
        return page(
                200,
                "You are not signed in",
                message + " You can close this window.",
                Map.of(),
                json(new Outcome(origins, new Message("authon-oauth-callback", null, message))),
                "'none'");
    }

    /** Asks the user whether they started this sign in; the form carries the provider's parameters. */
    Reply confirm(Project project, OauthState state, StateToken token, AuthorizationCallback callback) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("state", token.text());
        callback.code().ifPresent(code -> fields.put("code", code));
        callback.error().ifPresent(error -> fields.put("error", error));
        if (callback.issuer() != null) {
            fields.put("iss", callback.issuer());
        }
        if (callback.postedUser() != null) {
            fields.put("user", callback.postedUser());
        }
        fields.put(CONFIRMED, "yes");
        var returnTo = RedirectUrl.parse(Objects.requireNonNullElse(state.returnTo(), ""));
        return page(
                200,
                "Sign in to " + project.name() + "?",
                "This sign in was started from another network. Continue only if you started it yourself, a moment ago."
                        + " If someone else sent you here, close this window: they would be signed in as you.",
                fields,
                "",
                // form-action also restricts where the response to the form may redirect.
                "'self'" + returnTo.map(address -> " " + address.origin()).orElse(""));
    }

    Reply unknown() {
        return page(
                NOT_FOUND,
                "There is nothing to finish here",
                "This sign in is unknown, has expired, or is already finished. Go back to the application and try"
                        + " again.",
                Map.of(),
                "",
                "'none'");
    }

    private Reply page(
            int status, String title, String text, Map<String, String> fields, String outcome, String formAction) {
        var nonce = StateToken.base64(RandomSecrets.bytes(NONCE_BYTES));
        var values = new HashMap<String, Object>();
        values.put("title", title);
        values.put("text", text);
        values.put("fields", fields.entrySet());
        values.put("outcome", outcome);
        values.put("nonce", nonce);
        var html = new StringWriter();
        try {
            template.evaluate(html, values, Locale.ROOT);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        // The page must keep its reference to the window that opened it, to post the outcome there.
        return Reply.page(status, html.toString(), POLICY.formatted(nonce, formAction))
                .withHeader("Cross-Origin-Opener-Policy", "unsafe-none");
    }

    /** Escapes markup, which could end the script element, and line separators, which old parsers reject in strings. */
    private static String json(Object value) {
        return Json.encode(value)
                .toString()
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }
}
