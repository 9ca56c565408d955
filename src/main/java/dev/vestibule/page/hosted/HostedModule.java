package dev.vestibule.page.hosted;

import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.oauth.PageSignIn;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.authentication.phone.PhoneHandler;
import dev.vestibule.config.WebOrigin;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.page.Assets;
import dev.vestibule.page.hosted.HostedPageHandler.WaysIn;
import dev.vestibule.page.hosted.HostedVisits.Signatures;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;

/** Builds the hosted page: the parts that all event loops share, and the handlers of each event loop. */
public final class HostedModule {
    private final Signatures signatures;
    private final HostedCodes codes;
    private final HostedPages pages;
    private final Assets assets;
    private final URI publicUrl;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    public HostedModule(
            MasterKeys masterKeys,
            SessionStore sessions,
            TokenIssuer tokens,
            URI publicUrl,
            Assets assets,
            Clock clock) {
        this.signatures = Signatures.by(masterKeys);
        this.codes = new HostedCodes(sessions, tokens, clock);
        this.pages = new HostedPages(signatures.steps(), WebOrigin.of(publicUrl));
        this.assets = assets;
        this.publicUrl = publicUrl;
        this.ownRedirect = RedirectUrl.of(publicUrl + "/v1/auth/oauth/redirect");
        this.clock = clock;
    }

    /** The operations for browsers. */
    public HostedPageHandler page(Database database, PageVisitors visitors, WaysIn ways) {
        var origin = WebOrigin.of(publicUrl);
        var visits = new HostedVisits(
                database,
                signatures,
                ownRedirect,
                ways.phones()::isOfferedBy,
                project -> ways.passkeys().isOfferedTo(project, origin),
                assets,
                ways.providers(),
                clock);
        var answers = new HostedAnswers(database, codes, pages);
        return new HostedPageHandler(database, visitors, ways, visits, answers, pages, assets, publicUrl);
    }

    /** The operations for applications. */
    public HostedApiHandler api(Database database) {
        return new HostedApiHandler(database, signatures.requests(), codes, publicUrl, ownRedirect, clock);
    }

    /** The page in an unsaved branding. */
    public HostedPreview preview(PhoneHandler phones, PageSignIn providers) {
        return new HostedPreview(pages, phones::isOfferedBy, providers);
    }

    /** Removes old codes; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        return codes.purge(database);
    }
}
