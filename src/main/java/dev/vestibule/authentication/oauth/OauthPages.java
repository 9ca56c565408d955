package dev.vestibule.authentication.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.authentication.oauth.OauthState.SignInOrigin;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.project.Language;
import dev.vestibule.project.Phrases;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.BrandingStore;
import dev.vestibule.session.DeviceName;
import dev.vestibule.token.TokenResponse;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The HTML pages that users see at the end of a sign in with a provider; they load no other resources. */
public final class OauthPages {
    private static final int NONCE_BYTES = 16;
    private static final int NOT_FOUND = 404;
    private static final String POLICY = "default-src 'none'; script-src 'nonce-%1$s'; style-src 'nonce-%1$s';"
            + " base-uri 'none'; form-action %2$s; frame-ancestors 'none'";
    private static final String NO_FORM = "'none'";

    /**
     * The reader of the page: a user of this application, in this language.
     *
     * @param decisions where the page sends what they decide, relative to its own address
     */
    record Reader(String application, Language language, String decisions) {}

    /**
     * Where a popup may post its message.
     *
     * @param origins only pages of these receive it
     * @param closes whether the window that opened the popup must be a page of these, so that the popup can close
     */
    record Receivers(List<String> origins, boolean closes) {}

    /** The answers to a question are sent with these fields; their response may redirect to this origin. */
    record Answers(Map<String, String> fields, @Nullable String redirectsTo) {}

    private record Outcome(List<String> origins, boolean closes, boolean hasAgreed, Message message) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Message(
            String type,
            @Nullable TokenResponse tokens,
            @Nullable String error) {
        static Message of(TokenResponse tokens) {
            return new Message("authon-oauth-callback", tokens, null);
        }

        static Message of(String error) {
            return new Message("authon-oauth-callback", null, error);
        }
    }

    /**
     * The next URL of the browser, in the origin of this server, and what the application finds there under the key in
     * local storage.
     */
    record ApplicationRedirect(String url, String key, Stored value) {
        static ApplicationRedirect to(String url, StateToken state, TokenResponse tokens) {
            return new ApplicationRedirect(url, key(state), new Stored(tokens, null));
        }

        static ApplicationRedirect to(String url, StateToken state, String error) {
            return new ApplicationRedirect(url, key(state), new Stored(null, error));
        }

        private static String key(StateToken state) {
            return "authon-oauth-" + state.text();
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Stored(
            @Nullable TokenResponse tokens, @Nullable String error) {}

    private record Question(
            String title,
            String text,
            List<Detail> details,
            String action,
            Iterable<Map.Entry<String, String>> fields,
            String allow,
            String refuse) {}

    private record Detail(
            String name, String text, @Nullable Instant time) {}

    private record Page(
            int status,
            Language language,
            String title,
            String text,
            @Nullable Question question,
            String outcome,
            String onward,
            String formAction) {
        /** A page that only informs its reader. */
        static Page of(int status, Language language, String title, String text) {
            return new Page(status, language, title, text, null, "", "", NO_FORM);
        }
    }

    private final Phrases phrases = new Phrases("/oauth");
    private final BrandingStore brandings = new BrandingStore();
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

    /** The person who has come back from a provider. */
    Future<Reader> reader(Database database, Project project, AuthorizationCallback callback) {
        return brandings
                .name(database.reads(), project)
                .map(name -> new Reader(name, project.language(callback.acceptLanguage()), callback.decisions()));
    }

    /**
     * Posts the tokens to the window that opened ours. If it cannot be reached, asks the user whether a poll may fetch
     * them, unless they have agreed already.
     */
    Reply success(
            Reader reader,
            Receivers receivers,
            TokenResponse tokens,
            SignInOrigin beginning,
            Answers answers,
            boolean hasAgreed) {
        var outcome = new Outcome(receivers.origins(), receivers.closes(), hasAgreed, Message.of(tokens));
        return page(new Page(
                200,
                reader.language(),
                phrases.phrase(reader.language(), "signed_in.title"),
                phrases.phrase(reader.language(), "signed_in.text", reader.application()),
                question(reader, beginning, answers),
                json(outcome),
                "",
                formAction(answers)));
    }

    Reply failure(Reader reader, Receivers receivers, String message) {
        return page(new Page(
                200,
                reader.language(),
                phrases.phrase(reader.language(), "failed.title"),
                message + " " + phrases.phrase(reader.language(), "failed.text"),
                null,
                json(new Outcome(receivers.origins(), true, false, Message.of(message))),
                "",
                NO_FORM));
    }

    /** Asks the user whether they began this sign in, and shows when and from where it was begun. */
    Reply ask(Reader reader, SignInOrigin beginning, Answers answers) {
        var question = question(reader, beginning, answers);
        return page(new Page(
                200, reader.language(), question.title(), question.text(), question, "", "", formAction(answers)));
    }

    /** Ends a sign in if an app polls for its outcome. */
    Reply signedIn(Reader reader) {
        return end(200, reader, "signed_in");
    }

    /**
     * Leaves the outcome in this origin's storage, and continues to the application, which must have the same origin.
     */
    Reply continueToApplication(Reader reader, ApplicationRedirect onward) {
        return page(new Page(
                200,
                reader.language(),
                reader.application(),
                phrases.phrase(reader.language(), "agreed.title", reader.application()),
                null,
                "",
                json(onward),
                NO_FORM));
    }

    /** Ends a trial; the console shows its result. */
    Reply trialFinished(Reader reader) {
        return end(200, reader, "tried");
    }

    Reply agreed(Reader reader) {
        return end(200, reader, "agreed");
    }

    Reply refused(Reader reader) {
        return end(200, reader, "refused");
    }

    /** No sign in is waiting for this browser. */
    Reply unknown(AuthorizationCallback callback) {
        return end(
                NOT_FOUND,
                new Reader("", Language.ofHeader(callback.acceptLanguage()), callback.decisions()),
                "unknown");
    }

    private Reply end(int status, Reader reader, String phrase) {
        return page(Page.of(
                status,
                reader.language(),
                phrases.phrase(reader.language(), phrase + ".title", reader.application()),
                phrases.phrase(reader.language(), phrase + ".text", reader.application())));
    }

    private Question question(Reader reader, SignInOrigin beginning, Answers answers) {
        var language = reader.language();
        return new Question(
                phrases.phrase(language, "question.title", reader.application()),
                phrases.phrase(language, "question.text", reader.application()),
                details(language, beginning),
                reader.decisions(),
                answers.fields().entrySet(),
                phrases.phrase(language, "question.allow"),
                phrases.phrase(language, "question.refuse"));
    }

    private List<Detail> details(Language language, SignInOrigin beginning) {
        var details = new ArrayList<Detail>();
        var at = beginning.at();
        var format = DateTimeFormatter.ofLocalizedDateTime(FormatStyle.MEDIUM, FormatStyle.SHORT)
                .withLocale(language.locale())
                .withZone(ZoneOffset.UTC);
        details.add(new Detail(phrases.phrase(language, "question.begun_at"), format.format(at) + " UTC", at));
        var device = beginning.device();
        var place = Stream.of(device.ipAddress(), device.country())
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
        if (!place.isEmpty()) {
            details.add(new Detail(phrases.phrase(language, "question.begun_from"), place, null));
        }
        var userAgent = device.userAgent();
        if (userAgent != null) {
            details.add(new Detail(phrases.phrase(language, "question.begun_with"), DeviceName.of(userAgent), null));
        }
        return details;
    }

    /** The directive also restricts where the response to the form may redirect. */
    private static String formAction(Answers answers) {
        return "'self'" + (answers.redirectsTo() == null ? "" : " " + answers.redirectsTo());
    }

    private Reply page(Page page) {
        var nonce = StateToken.base64(RandomSecrets.bytes(NONCE_BYTES));
        var values = new HashMap<String, @Nullable Object>();
        values.put("language", page.language().text());
        values.put("title", page.title());
        values.put("text", page.text());
        values.put("question", page.question());
        values.put("outcome", page.outcome());
        values.put("onward", page.onward());
        values.put("nonce", nonce);
        var html = new StringWriter();
        try {
            template.evaluate(html, values, Locale.ROOT);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        // The page must keep its reference to the window that opened it, to post the outcome there.
        var reply = Reply.page(page.status(), html.toString(), POLICY.formatted(nonce, page.formAction()))
                .withHeader("Cross-Origin-Opener-Policy", "unsafe-none");
        // Without a referrer, browsers would send the form with the origin "null" (Fetch Standard, 3.2).
        return page.question() == null ? reply : reply.withHeader("Referrer-Policy", "same-origin");
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
