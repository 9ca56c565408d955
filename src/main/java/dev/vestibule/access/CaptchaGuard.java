package dev.vestibule.access;

import dev.vestibule.access.captcha.Captcha;
import dev.vestibule.access.captcha.Captcha.Widget;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.http.Body;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Project;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets a request through if its project asks for no captcha now, or if its body has the solution of one. */
public final class CaptchaGuard {
    private static final int MAX_SOLUTION = 8192;

    private final Captcha captcha;
    private final ClientAddresses addresses;

    CaptchaGuard(Captcha captcha, ClientAddresses addresses) {
        this.captcha = captcha;
        this.addresses = addresses;
    }

    /** An application's server is never asked: it knows best who its users are. */
    Future<Void> check(RoutingContext ctx, CaptchaPurpose purpose) {
        var project = Caller.projectOf(Caller.of(ctx));
        return project.isEmpty() || Caller.isServer(ctx)
                ? Future.succeededFuture()
                : captcha.require(project.get(), purpose, addresses.of(ctx.request()), solution(ctx));
    }

    /** Clients that know only Turnstile send it under that name. */
    private static Optional<String> solution(RoutingContext ctx) {
        return Body.find(ctx)
                .flatMap(body -> Fields.read(
                        body,
                        fields -> Optional.ofNullable(solution(fields, "captchaToken"))
                                .or(() -> Optional.ofNullable(solution(fields, "turnstileToken")))));
    }

    private static @Nullable String solution(Fields fields, String name) {
        var text = fields.optional(name, FieldType.text(MAX_SOLUTION, any -> any));
        return text == null || text.isEmpty() ? null : text;
    }

    /** What a page of ours shows so that the request that its form sends has a solution; empty if it needs none. */
    public Optional<Widget> widget(HttpServerRequest browser, Project project, CaptchaPurpose purpose) {
        return captcha.widget(project, purpose, addresses.of(browser));
    }
}
