package dev.vestibule.page.hosted;

import dev.vestibule.http.Reply;
import dev.vestibule.project.Language;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the page; everything in it that comes from people or projects is escaped. */
final class HostedPages {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

    /** What a project's own style sheet may load is what the check of it lets through. */
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src data: https:; font-src data: https:;"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    /**
     * What a screen shows beside what the visit tells.
     *
     * @param notice a phrase above the form, or empty
     * @param problem a phrase about what was refused, or empty
     * @param problems phrases by the name of the field that was refused
     * @param mfaToken what the second factor belongs to, or empty
     */
    record View(
            int status,
            Screen screen,
            String email,
            String displayName,
            String notice,
            String problem,
            Map<String, String> problems,
            String mfaToken) {
        static View of(Screen screen) {
            return new View(OK, screen, "", "", "", "", Map.of(), "");
        }

        View withEmail(String text) {
            return new View(status, screen, text, displayName, notice, problem, problems, mfaToken);
        }

        View withDisplayName(String text) {
            return new View(status, screen, email, text, notice, problem, problems, mfaToken);
        }

        View withNotice(String phrase) {
            return new View(status, screen, email, displayName, phrase, problem, problems, mfaToken);
        }

        View withProblem(int ofStatus, String phrase, Map<String, String> ofFields) {
            return new View(ofStatus, screen, email, displayName, notice, phrase, ofFields, mfaToken);
        }

        View withMfaToken(String token) {
            return new View(status, screen, email, displayName, notice, problem, problems, token);
        }

        @Override
        public String toString() {
            return "View[" + screen + "]";
        }
    }

    private final HostedPhrases phrases = new HostedPhrases();
    private final PebbleTemplate page = template("/page/hosted/page.html");

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
        if (view.screen() == Screen.EMAIL_CODE && !visit.hasEmailCodes()) {
            offered = new View(view.status(), Screen.SIGN_IN, view.email(), "", "", "", Map.of(), "");
        }
        var screen = offered.screen();
        var model = model(visit, screen.text());
        model.put("email", offered.email());
        model.put("displayName", offered.displayName());
        model.put("notice", offered.notice());
        model.put("problem", offered.problem());
        var texts = phrases.of(visit.language(), visit.branding().brandName());
        offered.problems().forEach((field, phrase) -> model.put(field + "Problem", texts.get(phrase)));
        model.put("mfaToken", offered.mfaToken());
        return reply(offered.status(), model);
    }

    /** Sends the browser on to the application. */
    Reply goOn(HostedVisit visit, String url) {
        var model = model(visit, "go-on");
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
        return model;
    }

    private Map<String, @Nullable Object> empty(Language language, String application, String screen) {
        var model = new HashMap<String, @Nullable Object>();
        model.put("language", language.text());
        model.put("say", phrases.of(language, application));
        model.put("application", application);
        model.put("screen", screen);
        model.put("hasStyle", true);
        for (var name : new String[] {"logo", "termsUrl", "privacyUrl", "onward"}) {
            model.put(name, null);
        }
        for (var name :
                new String[] {"request", "formToken", "email", "displayName", "notice", "problem", "mfaToken"}) {
            model.put(name, "");
        }
        for (var name : new String[] {"showSecuredBy", "hasPasswords", "hasEmailCodes"}) {
            model.put(name, false);
        }
        for (var field : new String[] {"email", "password", "code", "displayName"}) {
            model.put(field + "Problem", "");
        }
        return model;
    }

    private Reply reply(int status, Map<String, @Nullable Object> model) {
        var html = new StringWriter();
        try {
            page.evaluate(html, model, Locale.ROOT);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Reply.page(status, html.toString(), POLICY)
                .withHeader("Cross-Origin-Opener-Policy", "same-origin")
                .withHeader("Cross-Origin-Resource-Policy", "same-origin")
                // Without a referrer, browsers would send the form with the origin "null" (Fetch Standard, 3.2).
                .withHeader("Referrer-Policy", "same-origin");
    }
}
