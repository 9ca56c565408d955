package dev.vestibule.page.hosted;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.AuthenticationHandlers;
import dev.vestibule.authentication.factor.FactorHandler;
import dev.vestibule.authentication.passkey.PasskeyHandler;
import dev.vestibule.authentication.passwordless.PasswordlessHandler;
import dev.vestibule.authentication.phone.PhoneHandler;
import dev.vestibule.config.WebOrigin;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.oauth.PageSignIn;
import dev.vestibule.oauth.RedirectUrl;
import dev.vestibule.page.Assets;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;

/** Wires the hosted page: what all event loops share, and the handlers of each. */
public final class HostedModule {
    private final HostedRequest.Signer signer;
    private final HostedCodes codes;
    private final Assets assets;
    private final FormMemory memory;
    private final HostedPages pages;
    private final FormTokens formTokens;
    private final TokenIssuer tokens;
    private final DeviceReader devices;
    private final Auditor audit;
    private final URI publicUrl;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    public HostedModule(
            MasterKeys masterKeys,
            SessionStore sessions,
            TokenIssuer tokens,
            DeviceReader devices,
            Auditor audit,
            URI publicUrl,
            Assets assets,
            Clock clock) {
        this.signer = new HostedRequest.Signer(masterKeys);
        this.codes = new HostedCodes(sessions, tokens, clock);
        this.formTokens = new FormTokens(masterKeys);
        this.memory = new FormMemory(masterKeys);
        this.pages = new HostedPages(memory, WebOrigin.of(publicUrl));
        this.assets = assets;
        this.tokens = tokens;
        this.devices = devices;
        this.audit = audit;
        this.publicUrl = publicUrl;
        this.ownRedirect = RedirectUrl.of(publicUrl + "/v1/auth/oauth/redirect");
        this.clock = clock;
    }

    public HostedHandlers handlers(
            Database database,
            PageVisitors visitors,
            AuthenticationHandlers authentication,
            PasswordlessHandler passwordless,
            FactorHandler factors,
            PhoneHandler phones,
            PasskeyHandler passkeys,
            PageSignIn providers) {
        var origin = WebOrigin.of(publicUrl);
        var visits = new HostedVisitHandler(
                database,
                visitors,
                signer,
                formTokens,
                pages,
                ownRedirect,
                publicUrl.getScheme().equals("https"),
                memory,
                phones::isOfferedBy,
                project -> passkeys.isOfferedTo(project, origin),
                assets,
                providers,
                clock);
        var answers = new HostedAnswerHandler(database, visitors, factors, codes, pages);
        var submit = new SubmitHostedFormHandler(
                visits, visitors, authentication, passwordless, factors, phones, passkeys, memory, answers, pages);
        return new HostedHandlers(
                new GetHostedUrlHandler(signer, publicUrl, ownRedirect, clock),
                new HostedCallbackHandler(database, codes, audit),
                new ShowHostedPageHandler(visits, pages),
                new EnterHostedPageHandler(),
                new ShowHostedLinkHandler(visits, pages),
                submit,
                new LeaveBackupCodesHandler(database, visits, codes, answers, pages),
                new BeginHostedPasskeyHandler(visits, visitors, passkeys),
                new LeaveForProviderHandler(visits, visitors, providers, devices, answers, pages, publicUrl),
                new ReturnFromProviderHandler(database, visits, providers, devices, tokens, answers, pages),
                new GetHostedStyleHandler(database, visitors, new HostedStyle()));
    }

    /** The page in a branding that is not saved. */
    public HostedPreview preview(PhoneHandler phones, PageSignIn providers) {
        return new HostedPreview(pages, phones::isOfferedBy, providers);
    }

    /** Removes codes of former times; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        return codes.purge(database);
    }
}
