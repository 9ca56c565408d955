package dev.vestibule.page.hosted;

import dev.vestibule.fixture.LongTexts;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Long texts that fill a form of the page, in each of its fields, get a response at once. */
@ExtendWith(WithServer.class)
class HostedLongTextsIT {
    private static final Map<String, List<String>> FORMS = Map.ofEntries(
            Map.entry("email", List.of("email", "to")),
            Map.entry("sign-in", List.of("email", "password", "to")),
            Map.entry("sign-up", List.of("email", "password", "displayName")),
            Map.entry("verify", List.of("email", "code")),
            Map.entry("resend", List.of("email")),
            Map.entry("forgot-password", List.of("email")),
            Map.entry("reset-password", List.of("email", "code", "password")),
            Map.entry("second-factor", List.of("mfaToken", "code")),
            Map.entry("backup-code", List.of("mfaToken", "code")),
            Map.entry("email-code", List.of("email", "again")),
            Map.entry("enter-email-code", List.of("email", "code")),
            Map.entry("magic-link", List.of("email")),
            Map.entry("set-up-factor", List.of("setUp", "code")),
            Map.entry("sms-code", List.of("phone")),
            Map.entry("enter-sms-code", List.of("phone", "code")),
            Map.entry(
                    "passkey", List.of("credential", "authenticatorData", "clientDataJSON", "signature", "userHandle")),
            Map.entry("link", List.of("token", "email")),
            Map.entry("provider", List.of("provider")),
            Map.entry("go-on", List.of("ticket")),
            Map.entry("passkey-challenge", List.of("formToken", "request")));

    private final HostedBrowser browser;
    private final Map<String, String> hidden;

    HostedLongTextsIT(TestServer server) {
        browser = new HostedBrowser(HostedBrowser.allowing(server.newProject()));
        browser.open(Map.of());
        hidden = Map.of("formToken", browser.hidden("formToken"), "request", browser.hidden("request"));
    }

    @Test
    void aTextThatFillsAFormIsAnsweredAtOnce() {
        var texts = LongTexts.ofBytes(LongTexts.OF_A_BODY / 3 - 1000); // a form escapes a byte in three
        FORMS.forEach((form, names) -> {
            for (var name : names) {
                for (var text : texts) {
                    var fields = new HashMap<>(hidden);
                    fields.put(name, text);
                    LongTexts.isAnsweredAtOnce(
                            "%s %s with %s".formatted(form, name, LongTexts.shown(text)),
                            () -> browser.post(form, fields).statusCode());
                }
            }
        });
    }
}
