package dev.vestibule.page.hosted;

import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.authentication.factor.QrCodeImage;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.server.Authorizations.Origin;
import dev.vestibule.oauth.server.Authorizations.Waiting;
import dev.vestibule.page.AssetFiles;
import dev.vestibule.project.CaptchaProvider;
import dev.vestibule.project.Language;
import dev.vestibule.project.Phrases;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.loader.ClasspathLoader;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Renders the page; it escapes everything that comes from people or projects. */
final class HostedPages {
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int MINUTES = 60;
    private static final String PROVIDER = "{provider}";

    private static final String IMAGES = "img-src data:";

    /** A project's own style sheet can load only what its check allows. */
    private static final String POLICY = "default-src 'none'; style-src 'self'; " + IMAGES + "; font-src data:;"
            + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String SHOW_PASSWORD = "show-password.js";
    private static final String PROOF_OF_WORK = "proof-of-work.js";

    /**
     * The only foreign hosts that a page of ours loads scripts from, if the project has chosen them; the account page
     * also shows the person's picture from wherever it is.
     */
    private static final Map<CaptchaProvider, String> SITES_OF_CAPTCHAS = Map.of(
            CaptchaProvider.TURNSTILE, "https://challenges.cloudflare.com",
            CaptchaProvider.HCAPTCHA, "https://hcaptcha.com https://*.hcaptcha.com");

    private static final Map<CaptchaProvider, String> SCRIPTS_OF_CAPTCHAS = Map.of(
            CaptchaProvider.TURNSTILE, "https://challenges.cloudflare.com/turnstile/v0/api.js",
            CaptchaProvider.HCAPTCHA, "https://js.hcaptcha.com/1/api.js");

    /** The screens with a field for a password, whose script shows what was typed. */
    private static final Set<Screen> WITH_PASSWORD = EnumSet.of(Screen.SIGN_IN, Screen.SIGN_UP, Screen.RESET_PASSWORD);

    /** The providers whose marks are in {@code page/hosted/mark}. */
    private static final Set<String> MARKS = Set.of(
            "apple", "discord", "facebook", "github", "google", "kakao", "line", "microsoft", "naver", "oidc", "x");

    private static final String FOLDER = "hosted/";
    private static final String ANY_MARK = "any-provider";

    /** The values that people enter or that forms pass on; each is empty unless a view has it. */
    private static final List<String> VALUES =
            List.of("email", "displayName", "mfaToken", "phone", "token", "code", "connection", "connectionName");

    private static final String WAIT = "wait";

    /** What the page that has opened this one in a window can see of it. */
    private static final String OPENER = "opener";

    private static final List<String> FIELDS = List.of("email", "password", "code", "displayName", "phone");

    /**
     * What a screen shows in addition to the data of the visit.
     *
     * @param values the values of fields, by their names
     * @param notice a phrase above the form, or empty
     * @param problem a phrase about what was refused, or empty
     * @param problems phrases by the name of the field that was refused
     * @param setUp the authenticator app that the person sets up
     */
    record View(
            int status,
            Screen screen,
            Map<String, String> values,
            String notice,
            String problem,
            Map<String, String> problems,
            @Nullable FactorSetUp setUp) {
        static View of(Screen screen) {
            return new View(OK, screen, Map.of(), "", "", Map.of(), null);
        }

        View with(String name, String value) {
            var more = new HashMap<>(values);
            more.put(name, value);
            return new View(status, screen, Map.copyOf(more), notice, problem, problems, setUp);
        }

        View withEmail(String text) {
            return with("email", text);
        }

        View withNotice(String phrase) {
            return new View(status, screen, values, phrase, problem, problems, setUp);
        }

        View withProblem(int ofStatus, String phrase, Map<String, String> ofFields) {
            return new View(ofStatus, screen, values, notice, phrase, ofFields, setUp);
        }

        /** Shows how long to wait. */
        View withWait(Duration wait) {
            return with(WAIT, wait.toString());
        }

        View withSetUp(FactorSetUp given) {
            return new View(status, screen, values, notice, problem, problems, given);
        }

        String email() {
            return values.getOrDefault("email", "");
        }

        String phone() {
            return values.getOrDefault("phone", "");
        }

        @Override
        public String toString() {
            return "View[" + screen + "]";
        }
    }

    private final SignedFields steps;
    private final String origin;
    private final Phrases phrases = new Phrases("/page/hosted");
    private final PebbleTemplate page;

    HostedPages(SignedFields steps, String origin) {
        this.steps = steps;
        this.origin = origin;
        this.page = template();
    }

    /** The layout around every screen; each screen is a template of its own, compiled when it is first shown. */
    private static PebbleTemplate template() {
        var loader = new ClasspathLoader(HostedPages.class.getClassLoader());
        loader.setPrefix("page/hosted");
        var engine =
                new PebbleEngine.Builder().loader(loader).strictVariables(true).build();
        return engine.getTemplate("page.html");
    }

    Reply show(HostedVisit visit, View view) {
        var offered = view;
        if (view.screen() == Screen.PASSKEY) {
            offered = View.of(Screen.SIGN_IN).withProblem(view.status(), view.problem(), Map.of());
        }
        if (!isOffered(view.screen(), visit)) {
            offered = View.of(Screen.SIGN_IN).withEmail(view.email()).withProblem(view.status(), "", Map.of());
        }
        var screen = offered.screen();
        var model = model(visit, screen);
        model.putAll(offered.values());
        model.put("notice", offered.notice());
        model.put("to", screen == Screen.ENTER_SMS_CODE ? offered.phone() : offered.email());
        var texts = texts(visit);
        model.put("problem", problem(offered, visit.language(), texts));
        offered.problems().forEach((field, phrase) -> model.put(field + "Problem", texts.get(phrase)));
        var setUp = offered.setUp();
        if (setUp != null) {
            model.putAll(setUp(visit, setUp));
        }
        return reply(offered.status(), model, policy(visit, screen, model));
    }

    /** The person starts over with the password. */
    Reply startOver(HostedVisit visit, ErrorStatus status) {
        return show(visit, View.of(Screen.SIGN_IN).withProblem(status.code(), "problem.mfaToken", Map.of()));
    }

    /**
     * Replaces a 401, which would have to name an HTTP authentication scheme, for which browsers then prompt the
     * person.
     */
    static ErrorStatus shown(ErrorStatus status) {
        return status == ErrorStatus.UNAUTHORIZED ? ErrorStatus.UNPROCESSABLE : status;
    }

    /** Sends the browser to another address, which does not learn from where. */
    static Reply redirect(String url) {
        var reply = Reply.redirect(url);
        return new Reply(SEE_OTHER, reply.body(), reply.headers()).withHeader("Referrer-Policy", "no-referrer");
    }

    private Map<String, String> texts(HostedVisit visit) {
        return phrases.all(visit.language(), visit.branding().brandName());
    }

    private static boolean isOffered(Screen screen, HostedVisit visit) {
        return switch (screen) {
            case SIGN_UP, FORGOT_PASSWORD -> visit.hasPasswords();
            case EMAIL_CODE -> visit.hasEmailCodes();
            case MAGIC_LINK -> visit.hasLinks();
            case SMS_CODE -> visit.offered().smsCodes();
            default -> true;
        };
    }

    /** Adds the scripts of the screen to the page, and returns a policy that lets just them run. */
    private String policy(HostedVisit visit, Screen screen, Map<String, @Nullable Object> model) {
        if (visit.files().isEmpty()) {
            return POLICY;
        }
        var files = visit.files().get();
        var scripts = new ArrayList<String>();
        var policy = POLICY;
        if (screen == Screen.RESET_PASSWORD || (WITH_PASSWORD.contains(screen) && visit.hasPasswords())) {
            scripts.add(addScript("password", files, SHOW_PASSWORD, model));
        }
        var captcha = captchaPurpose(screen, visit).flatMap(visit.offered().captchas());
        if (captcha.isPresent()) {
            model.put("captcha", captcha.get());
            var source = SITES_OF_CAPTCHAS.get(captcha.get().provider());
            if (source == null) {
                scripts.add(addScript("work", files, PROOF_OF_WORK, model));
            } else {
                model.put("captchaScript", SCRIPTS_OF_CAPTCHAS.get(captcha.get().provider()));
                scripts.add(source);
                policy = policy.replace("style-src 'self'", "style-src 'self' " + source) + "; frame-src " + source
                        + "; connect-src 'self' " + source;
            }
        }
        if ((screen == Screen.SIGN_IN || screen == Screen.EMAIL)
                && visit.offered().passkeys()) {
            model.put("passkeyScript", url(files, "passkey.js"));
            model.put("origin", origin);
            scripts.add(0, "'self'");
            policy = policy.contains("connect-src") ? policy : policy + "; connect-src 'self'";
        }
        return scripts.isEmpty() ? policy : policy + "; script-src " + String.join(" ", scripts);
    }

    /** Adds a script that runs only with this very content; returns the source for the policy. */
    private static String addScript(String name, AssetFiles files, String file, Map<String, @Nullable Object> model) {
        var digest = files.digest(FOLDER + file);
        model.put(name + "Script", url(files, file));
        model.put(name + "Digest", digest);
        return "'" + digest + "'";
    }

    /** What the form of a screen asks for; the first screen has that of the first way to sign in. */
    private static Optional<CaptchaPurpose> captchaPurpose(Screen screen, HostedVisit visit) {
        if (screen != Screen.SIGN_IN || visit.hasPasswords()) {
            return screen.captcha();
        }
        return (visit.hasEmailCodes() ? Screen.EMAIL_CODE : Screen.SMS_CODE).captcha();
    }

    /** Relative to a page of a project. */
    private static String url(AssetFiles files, String name) {
        return "../../" + files.folder() + FOLDER + name;
    }

    private String problem(View view, Language language, Map<String, String> texts) {
        var wait = view.values().get(WAIT);
        return wait == null
                ? texts.getOrDefault(view.problem(), "")
                : texts.getOrDefault("problem.too-many-until", "")
                        .replace("{wait}", wait(language, Duration.parse(wait)));
    }

    /** The duration in whole minutes or hours, rounded up. */
    private String wait(Language language, Duration duration) {
        var minutes = Math.max(1, duration.plusSeconds(59).toMinutes());
        var isLong = minutes > MINUTES;
        return phrases.phrase(language, isLong ? "wait.hours" : "wait.minutes")
                .replace("{n}", String.valueOf(isLong ? (minutes + MINUTES - 1) / MINUTES : minutes));
    }

    /** Sends the browser to the application. */
    Reply returnToApplication(HostedVisit visit, String url) {
        var model = model(visit, Screen.GO_ON);
        model.put("onward", url);
        return reply(OK, model);
    }

    /**
     * Shows the codes once, and continues when the person clicks the button.
     *
     * @param ticket the ticket to continue with, or empty
     * @param url where to continue without a ticket
     */
    Reply backupCodes(HostedVisit visit, FactorSetUp setUp, String ticket, @Nullable String url) {
        var model = model(visit, Screen.BACKUP_CODES);
        model.put("backupCodes", setUp.backupCodes());
        model.put("ticket", ticket);
        model.put("link", url);
        return reply(OK, model);
    }

    /** New backup codes of the account, and back to it. */
    Reply backupCodes(HostedVisit visit, List<String> codes) {
        var model = model(visit, Screen.BACKUP_CODES);
        model.put("backupCodes", codes);
        model.put("link", "./");
        model.put("style", "../style.css");
        return reply(OK, model);
    }

    /**
     * The account of the person, or a step of a change of it.
     *
     * @param data what the screen shows of the account
     * @param refusal the field or operation that was refused, as the name of a phrase, or empty
     */
    Reply account(HostedVisit visit, Screen screen, int status, Map<String, ?> data, String notice, String refusal) {
        var model = model(visit, screen);
        var texts = texts(visit);
        model.putAll(data);
        model.put("notice", texts.containsKey(notice) ? notice : "");
        model.put("problem", texts.getOrDefault(refusal, refusal.isEmpty() ? "" : texts.get("problem.other")));
        model.put("style", "../style.css");
        return reply(status, model, screen == Screen.ACCOUNT ? accountPolicy(visit, model) : POLICY);
    }

    /** A new passkey needs a script, and the person's picture is on another host; nothing else needs anything. */
    private String accountPolicy(HostedVisit visit, Map<String, @Nullable Object> model) {
        var policy = Picture.of(String.valueOf(model.get("picture")))
                .map(picture -> POLICY.replace(IMAGES, IMAGES + " " + picture.source()))
                .orElse(POLICY);
        if (!visit.offered().passkeys() || visit.files().isEmpty()) {
            return policy;
        }
        model.put("passkeyScript", "../" + url(visit.files().get(), "new-passkey.js"));
        model.put("origin", origin);
        return policy + "; script-src 'self'; connect-src 'self'";
    }

    /** The state of an app that is being set up, for the form that confirms it. */
    Map<String, String> setUp(HostedVisit visit, FactorSetUp setUp) {
        return Map.of(
                "setUp",
                steps.write(visit.place(), setUp.fields()),
                "secret",
                setUp.readableSecret(),
                "qr",
                QrCodeImage.dataUrl(setUp.uri()));
    }

    /**
     * Sends the browser to a provider, by a page and not by a redirect, which browsers would check against
     * {@code form-action}.
     */
    Reply leave(HostedVisit visit, String url) {
        var model = model(visit, Screen.LEAVE);
        model.put("onward", url);
        return reply(OK, model);
    }

    /** As {@link #leave}, from the account page. */
    Reply leaveAccount(HostedVisit visit, String url) {
        return account(visit, Screen.LEAVE, OK, Map.of("onward", url), "", "");
    }

    /**
     * Asks the person about a client.
     *
     * @param name by which the person knows their account
     * @param account the signed account, for the form
     */
    Reply ask(HostedVisit visit, Screen screen, Waiting waiting, String name, String account) {
        var model = model(visit, screen);
        var texts = texts(visit);
        var warning = waiting.device() != null ? "text.consent-device-warning" : "text.consent-local";
        var problem = screen == Screen.CONSENT && (waiting.isLocal() || waiting.device() != null)
                ? texts.getOrDefault(warning, "")
                : "";
        var scopes = new ArrayList<String>();
        waiting.scopes().stream()
                .map(scope -> texts.getOrDefault("scope." + scope, ""))
                .filter(text -> !text.isEmpty())
                .forEach(scopes::add);
        scopes.addAll(waiting.texts());
        model.put("client", waiting.clientName());
        model.put("clientHost", Objects.requireNonNullElse(waiting.clientHost(), ""));
        model.put("redirectHost", waiting.redirectHost());
        model.put("deviceAt", place(waiting.device(), texts));
        model.put("problem", problem);
        model.put("accountName", name);
        model.put("account", account);
        model.put("scopes", scopes);
        return reply(OK, model);
    }

    /** Empty if no device has asked. */
    private static String place(@Nullable Origin device, Map<String, String> texts) {
        if (device == null) {
            return "";
        }
        var country = device.country() == null ? "" : " (" + device.country() + ")";
        return Objects.requireNonNullElse(device.ipAddress(), texts.getOrDefault("text.unknown-place", "")) + country;
    }

    /** A client has sent the browser with a wrong parameter, and nothing can go back to it. */
    Reply wrongRequest(HostedVisit visit, String parameter) {
        var model = model(visit, Screen.WRONG_REQUEST);
        model.put("problem", parameter);
        return reply(BAD_REQUEST, model);
    }

    /** The end of a visit to the bare URL, which cannot sign anybody in to an application. */
    Reply done(HostedVisit visit, @Nullable String url) {
        var model = model(visit, Screen.DONE);
        model.put("onward", url);
        return reply(OK, model);
    }

    /** The application's request is damaged, too old, or no longer allowed. */
    Reply expired(HostedVisit visit) {
        return reply(GONE, model(visit, Screen.EXPIRED));
    }

    /** The browser has come from a provider, but no sign in waits for it here. */
    Reply stale(HostedVisit visit) {
        var model = model(visit, Screen.EXPIRED);
        model.put("problem", texts(visit).get("problem.provider-stale"));
        return reply(GONE, model);
    }

    /**
     * The reader of a page that belongs to no project.
     *
     * @param toRoot the relative URL of our root, from the address of the page, which can be any
     */
    record Reader(Language language, AssetFiles files, String toRoot) {}

    /**
     * There is no such page.
     *
     * @param home where people can go instead; null where they have come from an application
     */
    Reply unknown(Reader reader, @Nullable String home) {
        var model = plain(reader, Screen.UNKNOWN);
        model.put("home", home);
        return reply(NOT_FOUND, model);
    }

    /**
     * The server could not answer, or did not want to.
     *
     * @param retry the URL to try again
     */
    Reply failed(Reader reader, ApiException error, String retry) {
        var language = reader.language();
        var model = plain(reader, Screen.FAILED);
        var wait = error.retryAfter();
        var phrase = switch (error.status()) {
            case TOO_MANY_REQUESTS -> "problem.too-many";
            case UNAVAILABLE -> "problem.busy";
            case INTERNAL -> "problem.ours";
            default -> "problem.other";
        };
        var view = View.of(Screen.FAILED).withProblem(error.status().code(), phrase, Map.of());
        if (wait != null && error.status() == ErrorStatus.TOO_MANY_REQUESTS) {
            view = view.withWait(wait);
        }
        model.put("problem", problem(view, language, phrases.all(language, "")));
        model.put("retry", retry);
        return reply(error.status().code(), model);
    }

    /** A page that belongs to no project has the rules of all, in the colours of a project that has chosen none. */
    private Map<String, @Nullable Object> plain(Reader reader, Screen screen) {
        var model = empty(reader.language(), "", screen);
        model.put("style", reader.toRoot() + reader.files().folder() + FOLDER + "page.css");
        return model;
    }

    private Map<String, @Nullable Object> model(HostedVisit visit, Screen screen) {
        var branding = visit.branding();
        var model = empty(visit.language(), branding.brandName(), screen);
        model.put("logo", branding.logoDataUrl());
        model.put("termsUrl", branding.termsUrl());
        model.put("privacyUrl", branding.privacyUrl());
        model.put("showSecuredBy", branding.showSecuredBy());
        model.put("request", visit.requestText());
        if (visit.isAuthorization()) {
            model.put(OPENER, "unsafe-none"); // else the application's window would lose the one that it has opened
        }
        model.put("formToken", visit.proof().token());
        model.put("hasPasswords", visit.hasPasswords());
        model.put("hasEmailCodes", visit.hasEmailCodes());
        model.put("hasLinks", visit.hasLinks());
        model.put("hasSmsCodes", visit.offered().smsCodes());
        model.put("hasForm", visit.hasForm());
        model.put("showDivider", branding.showDivider());
        model.put("home", visit.project().callbackUrl());
        var continueWith = texts(visit).getOrDefault("button.provider", PROVIDER);
        model.put(
                "providers",
                visit.offered().providers().stream()
                        .map(offer -> Map.of(
                                "name",
                                offer.name(),
                                "label",
                                continueWith.replace(PROVIDER, offer.title()),
                                "icon",
                                Objects.requireNonNullElse(offer.icon(), ""),
                                "mark",
                                MARKS.contains(offer.mark()) ? offer.mark() : ANY_MARK))
                        .toList());
        return model;
    }

    private Map<String, @Nullable Object> empty(Language language, String application, Screen screen) {
        var model = new HashMap<String, @Nullable Object>();
        model.put("language", language.text());
        model.put("say", phrases.all(language, application));
        model.put("application", application);
        model.put("initial", initial(application));
        model.put("screen", screen.text());
        model.put(OPENER, "same-origin");
        model.put("style", "style.css");
        model.put("providers", List.of());
        for (var name : new String[] {
            "logo",
            "termsUrl",
            "privacyUrl",
            "onward",
            "link",
            "home",
            "passkeyScript",
            "passwordScript",
            "workScript",
            "captcha",
            "captchaScript"
        }) {
            model.put(name, null);
        }
        for (var name : new String[] {
            "request",
            "formToken",
            "notice",
            "to",
            "problem",
            "setUp",
            "secret",
            "qr",
            "ticket",
            "origin",
            "retry",
            "passwordDigest",
            "workDigest",
            "client",
            "clientHost",
            "redirectHost",
            "accountName",
            "account",
            "logout"
        }) {
            model.put(name, "");
        }
        VALUES.forEach(name -> model.put(name, ""));
        for (var name : new String[] {
            "showSecuredBy", "hasPasswords", "hasEmailCodes", "hasLinks", "hasSmsCodes", "hasForm", "showDivider"
        }) {
            model.put(name, false);
        }
        FIELDS.forEach(field -> model.put(field + "Problem", ""));
        model.put("backupCodes", List.of());
        model.put("scopes", List.of());
        return model;
    }

    /** Stands for the logo of an application that has none. */
    private static String initial(String application) {
        return application.isEmpty() ? "" : Character.toString(application.codePointAt(0));
    }

    private Reply reply(int status, Map<String, @Nullable Object> model) {
        return reply(status, model, POLICY);
    }

    private Reply reply(int status, Map<String, @Nullable Object> model, String policy) {
        var html = new StringWriter();
        try {
            page.evaluate(html, model, Locale.ROOT);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Reply.page(status, html.toString(), policy)
                .withHeader("Cross-Origin-Opener-Policy", String.valueOf(model.get(OPENER)))
                .withHeader("Cross-Origin-Resource-Policy", "same-origin")
                // Without a referrer, browsers would send the form with the origin "null" (Fetch Standard, 3.2).
                .withHeader("Referrer-Policy", "same-origin");
    }
}
