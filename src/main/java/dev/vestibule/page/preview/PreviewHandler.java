package dev.vestibule.page.preview;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.MailPreview;
import dev.vestibule.mail.MessageKind;
import dev.vestibule.mail.MessageTextHandler;
import dev.vestibule.mail.MessageTextStore;
import dev.vestibule.mail.MessageTextStore.Written;
import dev.vestibule.mail.MessageTexts;
import dev.vestibule.page.hosted.HostedPreview;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.Branding;
import dev.vestibule.project.branding.BrandingDraft;
import dev.vestibule.project.branding.BrandingStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Previews of pages, mails and SMS before they are saved: one method per operation. */
public final class PreviewHandler {
    /** The sandbox also applies in a separate window. Pictures and fonts are allowed as on the hosted page. */
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
            + " font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self';"
            + " sandbox allow-same-origin";

    private static final String FRAME = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Preview</title></head><body></body></html>
            """;

    private static final Map<String, HostedPreview.Shown> PAGES = Map.of(
            "signIn", HostedPreview.Shown.SIGN_IN,
            "signUp", HostedPreview.Shown.SIGN_UP,
            "forgotPassword", HostedPreview.Shown.FORGOT_PASSWORD);

    private static final Map<String, MessageKind> MAILS = Map.of(
            "verificationMail", mail("verification"),
            "passwordResetMail", mail("password_reset"),
            "magicLinkMail", mail("magic_link"),
            "signInCodeMail", mail("email_otp"),
            "emailChangeMail", mail("email_change"),
            "newSignInMail", mail("notice.new_sign_in"));

    private record Request(String show, Language language, Scheme scheme, BrandingDraft draft) {
        static Request read(Fields fields) {
            return new Request(
                    fields.required("show", Request::show),
                    Objects.requireNonNullElse(fields.optional("language", Language::of), Language.EN),
                    Objects.requireNonNullElse(fields.optional("scheme", Scheme::of), Scheme.LIGHT),
                    BrandingDraft.read(fields.object("branding")));
        }

        private static String show(String text) {
            if (!PAGES.containsKey(text) && !MAILS.containsKey(text)) {
                throw new InvalidValueException("must be signIn, signUp, forgotPassword, verificationMail,"
                        + " passwordResetMail, magicLinkMail, signInCodeMail, emailChangeMail or newSignInMail");
            }
            return text;
        }
    }

    private static MessageKind mail(String key) {
        return MessageKind.of(key).orElseThrow();
    }

    private record TextsRequest(Scheme scheme, Map<String, String> texts) {
        static TextsRequest read(Fields fields, MessageKind kind) {
            return new TextsRequest(
                    Objects.requireNonNullElse(fields.optional("scheme", Scheme::of), Scheme.LIGHT),
                    MessageTexts.read(fields.object("texts"), kind));
        }
    }

    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record Response(@Nullable String subject, String html) {}

    private final Database database;
    private final HashingPool workers;
    private final HostedPreview page;
    private final MailPreview mails;
    private final BrandingStore store = new BrandingStore();
    private final MessageTextStore texts = new MessageTextStore();

    public PreviewHandler(Database database, HashingPool workers, HostedPreview page, MailPreview mails) {
        this.database = database;
        this.workers = workers;
        this.page = page;
        this.mails = mails;
    }

    /** {@code GET /console/preview}: the empty document that the console writes previews of a draft into. */
    public Future<Reply> frame(ApiRequest request) {
        return Future.succeededFuture(Reply.page(200, FRAME, POLICY).withHeader("X-Frame-Options", "SAMEORIGIN"));
    }

    /**
     * {@code POST /v1/dashboard/projects/:projectId/branding/preview}: what a page or a mail would look like with these
     * changes. It stores nothing, and runs in the queue of the hashing pool, where projects take turns.
     */
    public Future<Reply> branding(ApiRequest request) {
        var project = request.project();
        var body = request.body();
        return branding(project)
                .compose(saved -> page.prepare(project)
                        .compose(prepared -> texts.list(database.writes(), project.id())
                                .compose(written -> workers.run(
                                        project.id().value(),
                                        JobLength.LONG,
                                        () -> Reply.ok(render(project, saved, prepared, written, body))))));
    }

    private Future<Branding> branding(Project project) {
        return store.find(database.writes(), project.id())
                .map(found ->
                        found.orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.")));
    }

    private Response render(
            Project project, Branding saved, HostedPreview.Prepared prepared, List<Written> written, ObjectNode body) {
        var input = Fields.readStrictly(body, Request::read);
        var branding = input.draft().over(saved, project.name());
        var ofPage = PAGES.get(input.show());
        if (ofPage != null) {
            return response(null, prepared.of(branding, input.language(), ofPage), input.scheme());
        }
        var kind = Objects.requireNonNull(MAILS.get(input.show()));
        var mail = mails.of(project, branding, input.language(), kind, Written.texts(written, kind, input.language()));
        return response(mail.subject(), mail.html(), input.scheme());
    }

    /**
     * {@code POST /v1/dashboard/projects/:projectId/message-texts/:message/:language/preview}: the message with these
     * texts, in the saved branding.
     */
    public Future<Reply> messageTexts(ApiRequest request) {
        var project = request.project();
        var selected = MessageTextHandler.Selected.of(request);
        var input = request.allFields(fields -> TextsRequest.read(fields, selected.kind()));
        return branding(project)
                .compose(branding -> workers.run(
                        project.id().value(),
                        JobLength.LONG,
                        () -> mails.of(project, branding, selected.language(), selected.kind(), input.texts())))
                .map(mail -> Reply.ok(response(mail.subject(), mail.html(), input.scheme())));
    }

    /** Makes links and forms open new windows, which the sandbox of the frame forbids, so that they do nothing. */
    private static Response response(@Nullable String subject, String html, Scheme scheme) {
        return new Response(subject, scheme.applyTo(html).replaceFirst("<head>", "<head><base target=\"_blank\">"));
    }

    /** The colour scheme of a preview, whatever the browser prefers. */
    private enum Scheme {
        LIGHT("light"),
        DARK("dark");

        private static final Pattern QUERY =
                Pattern.compile("\\(\\s*prefers-color-scheme\\s*:\\s*(light|dark)\\s*\\)", Pattern.CASE_INSENSITIVE);

        private static final Pattern BOTH = Pattern.compile("light dark");

        private final String text;

        Scheme(String text) {
            this.text = text;
        }

        static Scheme of(String text) {
            return switch (text) {
                case "light" -> LIGHT;
                case "dark" -> DARK;
                default -> throw new InvalidValueException("must be light or dark");
            };
        }

        /**
         * The document with its {@code prefers-color-scheme} queries resolved and its colour schemes replaced by this
         * one.
         */
        String applyTo(String html) {
            var answered = QUERY.matcher(html)
                    .replaceAll(query -> query.group(1).equalsIgnoreCase(text) ? "(min-width: 0)" : "(max-width: 0)");
            return BOTH.matcher(answered).replaceAll(Matcher.quoteReplacement(text));
        }
    }
}
