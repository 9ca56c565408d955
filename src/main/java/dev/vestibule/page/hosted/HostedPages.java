package dev.vestibule.page.hosted;

import dev.vestibule.authentication.factor.QrPicture;
import dev.vestibule.http.Reply;
import dev.vestibule.project.Language;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the page; everything in it that comes from people or projects is escaped. */
final class HostedPages {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final String PROVIDER = "{provider}";

    /** What a project's own style sheet may load is what the check of it lets through. */
    private static final String POLICY = "default-src 'none'; style-src 'self'; img-src data:; font-src data:;"
            + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    /** What people enter, or forms carry on; each is empty unless a view has it. */
    private static final List<String> VALUES = List.of("email", "displayName", "mfaToken", "phone", "token");

    private static final String WAIT = "wait";
    private static final List<String> FIELDS = List.of("email", "password", "code", "displayName", "phone");

    /**
     * What a screen shows beside what the visit tells.
     *
     * @param values of fields, by their names
     * @param notice a phrase above the form, or empty
     * @param problem a phrase about what was refused, or empty
     * @param problems phrases by the name of the field that was refused
     * @param setUp the authenticator app that is being set up
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

        /** Says how long to wait. */
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

    private final FormMemory memory;
    private final String origin;
    private final HostedPhrases phrases = new HostedPhrases();
    private final PebbleTemplate page = template("/page/hosted/page.html");

    HostedPages(FormMemory memory, String origin) {
        this.memory = memory;
        this.origin = origin;
    }

    private static PebbleTemplate template(String name) {
        try (var file = Objects.requireNonNull(HostedPages.class.getResourceAsStream(name), name)) {
            return new PebbleEngine.Builder()
                    .strictVariables(true)
                    .build()
                    .getLiteralTemplate(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    Reply show(HostedVisit visit, View view) {
        var offered = view;
        if (view.screen() == Screen.PASSKEY) {
            offered = View.of(Screen.SIGN_IN).withProblem(view.status(), view.problem(), Map.of());
        }
        if ((view.screen() == Screen.EMAIL_CODE && !visit.hasEmailCodes())
                || (view.screen() == Screen.MAGIC_LINK && !visit.hasLinks())
                || (view.screen() == Screen.SMS_CODE && !visit.hasSmsCodes())) {
            offered = View.of(Screen.SIGN_IN).withEmail(view.email()).withProblem(view.status(), "", Map.of());
        }
        var screen = offered.screen();
        var model = model(visit, screen.text());
        model.putAll(offered.values());
        model.put("notice", offered.notice());
        var texts = phrases.of(visit.language(), visit.branding().brandName());
        model.put("problem", problem(offered, visit.language(), texts));
        offered.problems().forEach((field, phrase) -> model.put(field + "Problem", texts.get(phrase)));
        var setUp = offered.setUp();
        if (setUp != null) {
            model.put("setUp", memory.write(visit, setUp.fields()));
            model.put("secret", setUp.readableSecret());
            model.put("qr", QrPicture.dataUrl(setUp.uri()));
        }
        if (screen == Screen.SIGN_IN && visit.passkeyScript().isPresent()) {
            model.put("passkeyScript", visit.passkeyScript().get());
            model.put("origin", origin);
            return reply(offered.status(), model, POLICY + "; script-src 'self'; connect-src 'self'");
        }
        return reply(offered.status(), model);
    }

    private String problem(View view, Language language, Map<String, String> texts) {
        var wait = view.values().get(WAIT);
        return wait == null
                ? texts.getOrDefault(view.problem(), "")
                : texts.getOrDefault("problem.too-many-until", "")
                        .replace("{wait}", phrases.wait(language, Duration.parse(wait)));
    }

    /** Sends the browser on to the application. */
    Reply goOn(HostedVisit visit, String url) {
        var model = model(visit, "go-on");
        model.put("onward", url);
        return reply(OK, model);
    }

    /**
     * Shows the codes once, and goes on when the person says so.
     *
     * @param ticket for which the page then goes on, or empty
     * @param url where to go on without one
     */
    Reply backupCodes(HostedVisit visit, FactorSetUp setUp, String ticket, @Nullable String url) {
        var model = model(visit, Screen.BACKUP_CODES.text());
        model.put("backupCodes", setUp.backupCodes());
        model.put("ticket", ticket);
        model.put("link", url);
        return reply(OK, model);
    }

    /** Sends the browser to a provider. Not by a redirect, which browsers would hold against {@code form-action}. */
    Reply leave(HostedVisit visit, String url) {
        var model = model(visit, "leave");
        model.put("onward", url);
        return reply(OK, model);
    }

    /** For a visit by the bare address, with which nobody can be signed in anywhere. */
    Reply done(HostedVisit visit, @Nullable String url) {
        var model = model(visit, "done");
        model.put("onward", url);
        return reply(OK, model);
    }

    /** What the application has asked for is damaged or too old, or not allowed any more. */
    Reply expired(HostedVisit visit) {
        return reply(GONE, model(visit, "expired"));
    }

    /** The browser has come from a provider, and nothing waits for it here. */
    Reply stale(HostedVisit visit) {
        var model = model(visit, "expired");
        model.put(
                "problem",
                phrases.of(visit.language(), visit.branding().brandName()).get("problem.provider-stale"));
        return reply(GONE, model);
    }

    Reply unknown(Language language) {
        var model = empty(language, "", "unknown");
        model.put("hasStyle", false);
        return reply(NOT_FOUND, model);
    }

    private Map<String, @Nullable Object> model(HostedVisit visit, String screen) {
        var branding = visit.branding();
        var model = empty(visit.language(), branding.brandName(), screen);
        model.put("logo", branding.logoDataUrl());
        model.put("termsUrl", branding.termsUrl());
        model.put("privacyUrl", branding.privacyUrl());
        model.put("showSecuredBy", branding.showSecuredBy());
        model.put("request", visit.requestText());
        model.put("formToken", visit.formToken());
        model.put("hasPasswords", visit.hasPasswords());
        model.put("hasEmailCodes", visit.hasEmailCodes());
        model.put("hasLinks", visit.hasLinks());
        model.put("hasSmsCodes", visit.hasSmsCodes());
        model.put("showDivider", branding.showDivider());
        var continueWith = phrases.of(visit.language(), branding.brandName()).getOrDefault("button.provider", PROVIDER);
        model.put(
                "providers",
                visit.providers().stream()
                        .map(offer ->
                                Map.of("name", offer.name(), "label", continueWith.replace(PROVIDER, offer.title())))
                        .toList());
        return model;
    }

    private Map<String, @Nullable Object> empty(Language language, String application, String screen) {
        var model = new HashMap<String, @Nullable Object>();
        model.put("language", language.text());
        model.put("say", phrases.of(language, application));
        model.put("application", application);
        model.put("screen", screen);
        model.put("hasStyle", true);
        model.put("providers", List.of());
        for (var name : new String[] {"logo", "termsUrl", "privacyUrl", "onward", "link", "passkeyScript"}) {
            model.put(name, null);
        }
        for (var name :
                new String[] {"request", "formToken", "notice", "problem", "setUp", "secret", "qr", "ticket", "origin"
                }) {
            model.put(name, "");
        }
        VALUES.forEach(name -> model.put(name, ""));
        for (var name :
                new String[] {"showSecuredBy", "hasPasswords", "hasEmailCodes", "hasLinks", "hasSmsCodes", "showDivider"
                }) {
            model.put(name, false);
        }
        FIELDS.forEach(field -> model.put(field + "Problem", ""));
        model.put("backupCodes", List.of());
        return model;
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
                .withHeader("Cross-Origin-Opener-Policy", "same-origin")
                .withHeader("Cross-Origin-Resource-Policy", "same-origin")
                // Without a referrer, browsers would send the form with the origin "null" (Fetch Standard, 3.2).
                .withHeader("Referrer-Policy", "same-origin");
    }
}
