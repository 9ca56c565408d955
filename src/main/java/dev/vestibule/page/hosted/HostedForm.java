package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.http.Form;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.page.hosted.HostedPages.View;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;

/** The forms of the page; each stands for an operation of the API. */
enum HostedForm implements OperationForm {
    EMAIL(Quota.OAUTH, Screen.EMAIL, "email"),
    SIGN_IN(Quota.SIGN_IN, Screen.SIGN_IN, "email password"),
    SIGN_UP(Quota.SIGN_UP, Screen.SIGN_UP, "email password displayName"),
    VERIFY(Quota.CODE, Screen.VERIFY, "email code"),
    RESEND(Quota.CODE, Screen.VERIFY, "email"),
    FORGOT_PASSWORD(Quota.CODE, Screen.FORGOT_PASSWORD, "email"),
    RESET_PASSWORD(Quota.CODE, Screen.RESET_PASSWORD, "email code password"),
    SECOND_FACTOR(Quota.SIGN_IN, Screen.SECOND_FACTOR, "mfaToken code"),
    BACKUP_CODE(Quota.SIGN_IN, Screen.BACKUP_CODE, "mfaToken code"),
    SET_UP_FACTOR(Quota.SIGN_IN, Screen.SET_UP_FACTOR, "mfaToken code"),
    EMAIL_CODE(Quota.CODE, Screen.EMAIL_CODE, "email"),
    ENTER_EMAIL_CODE(Quota.CODE, Screen.ENTER_EMAIL_CODE, "email code"),
    SMS_CODE(Quota.CODE, Screen.SMS_CODE, "phone"),
    ENTER_SMS_CODE(Quota.CODE, Screen.ENTER_SMS_CODE, "phone code"),
    PASSKEY(Quota.SIGN_IN, Screen.PASSKEY, "authenticatorData clientDataJSON signature userHandle"),
    MAGIC_LINK(Quota.CODE, Screen.MAGIC_LINK, "email"),
    LINK(Quota.CODE, Screen.LINK, "token email");

    /** Where the script of the page, or that of a provider, puts the solution of a captcha. */
    private static final List<String> SOLUTIONS =
            List.of("captchaToken", "cf-turnstile-response", "h-captcha-response");

    private static final String AGAIN = "notice.sent-again";

    private final Quota quota;
    private final Screen screen;
    private final String fields;

    HostedForm(Quota quota, Screen screen, String fields) {
        this.quota = quota;
        this.screen = screen;
        this.fields = fields;
    }

    /** Finds a form by its part of the URL. */
    static Optional<HostedForm> of(String text) {
        return OperationForm.find(values(), text);
    }

    @Override
    public String item() {
        return "";
    }

    /** The limit of the operation's own route. */
    Quota quota() {
        return quota;
    }

    /** The screen that shows the form, also after a refusal. */
    Screen screen() {
        return screen;
    }

    /** The entered values as the request body of the operation. */
    ObjectNode body(MultiMap entered) {
        return this == PASSKEY ? credential(entered, fields()) : flat(entered);
    }

    private List<String> fields() {
        return List.of(fields.split(" ", -1));
    }

    private ObjectNode flat(MultiMap entered) {
        var body = JsonNodeFactory.instance.objectNode();
        for (var field : fields()) {
            var text = entered.get(field);
            if (text != null && !(field.equals("displayName") && text.isBlank())) {
                body.put(field, text);
            }
        }
        if (screen.captcha().isPresent()) {
            SOLUTIONS.stream()
                    .map(entered::get)
                    .filter(text -> text != null && !text.isEmpty())
                    .findFirst()
                    .ifPresent(text -> body.put("captchaToken", text));
        }
        return body;
    }

    /** What an authenticator has answered, with these fields in its response. */
    static ObjectNode credential(MultiMap entered, List<String> fields) {
        var id = Form.value(entered, "credential");
        var body = JsonNodeFactory.instance.objectNode();
        body.put("id", id).put("rawId", id).put("type", "public-key");
        var response = body.putObject("response");
        fields.forEach(field -> response.put(field, Form.value(entered, field)));
        return body;
    }

    /**
     * The view after an operation that signs nobody in.
     *
     * @param isAgain whether the person has asked for one more message to the same address
     */
    View next(View view, boolean isAgain) {
        var sent = isAgain ? AGAIN : "notice.sent";
        var next = switch (this) {
            case FORGOT_PASSWORD -> View.of(Screen.RESET_PASSWORD).withNotice(sent);
            case RESET_PASSWORD -> View.of(Screen.SIGN_IN).withNotice("notice.reset");
            case EMAIL_CODE -> View.of(Screen.ENTER_EMAIL_CODE).withNotice(sent);
            case SMS_CODE ->
                View.of(Screen.ENTER_SMS_CODE)
                        .with("phone", view.phone())
                        .withNotice(isAgain ? AGAIN : "notice.sms-sent");
            case MAGIC_LINK -> View.of(Screen.LINK_SENT).withNotice(isAgain ? "notice.link-again" : "");
            case RESEND -> view.withNotice(AGAIN);
            case EMAIL,
                    SIGN_IN,
                    SIGN_UP,
                    VERIFY,
                    SECOND_FACTOR,
                    BACKUP_CODE,
                    SET_UP_FACTOR,
                    ENTER_EMAIL_CODE,
                    ENTER_SMS_CODE,
                    PASSKEY,
                    LINK -> view;
        };
        return next.withEmail(view.email());
    }
}
