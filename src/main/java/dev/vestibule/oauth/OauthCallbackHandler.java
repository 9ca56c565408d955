package dev.vestibule.oauth;

import dev.vestibule.access.CallerHandler;
import dev.vestibule.access.Devices;
import dev.vestibule.access.Languages;
import dev.vestibule.authentication.Admission;
import dev.vestibule.authentication.Admission.Admitted;
import dev.vestibule.authentication.Admission.VerificationRequired;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.OauthFields.Presented;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.Entry;
import dev.vestibule.oauth.identity.Entry.Entered;
import dev.vestibule.oauth.identity.Entry.Unverified;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/oauth/callback}: takes the code that a page of the application got, and opens a session. */
public final class OauthCallbackHandler implements ApiHandler {
    private record Request(Provider provider, Presented presented) {}

    private final Database database;
    private final CodeCheck check;
    private final ProviderSignIn signIn;
    private final TokenIssuer tokens;
    private final Devices devices;

    OauthCallbackHandler(
            Database database, CodeCheck check, ProviderSignIn signIn, TokenIssuer tokens, Devices devices) {
        this.database = database;
        this.check = check;
        this.signIn = signIn;
        this.tokens = tokens;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = CallerHandler.project(ctx);
        var variant = CallerHandler.variant(ctx);
        var device = devices.of(ctx);
        var language = Languages.of(ctx);
        var request = Fields.read(
                Body.of(ctx),
                fields -> new Request(fields.required("provider", OauthFields::provider), Presented.read(fields)));
        return check.take(project.id(), request.provider(), null, request.presented())
                .compose(answer -> signIn.run(project, answer, device, language))
                .compose(entry -> admission(project, variant, entry))
                .map(Reply::ok);
    }

    private Future<Admission> admission(Project project, ApiVariant variant, Entry entry) {
        return entry instanceof Entered entered
                ? tokens.open(database.reads(), project, variant, entered.session(), entered.user())
                        .map(Admitted::new)
                : Future.succeededFuture(VerificationRequired.of(((Unverified) entry).email()));
    }
}
