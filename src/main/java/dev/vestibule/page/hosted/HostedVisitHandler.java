package dev.vestibule.page.hosted;

import dev.vestibule.access.PageVisitors;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.database.Database;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.PageSignIn;
import dev.vestibule.oauth.PageSignIn.Offer;
import dev.vestibule.oauth.RedirectRules;
import dev.vestibule.oauth.RedirectUrl;
import dev.vestibule.page.Assets;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.Branding;
import dev.vestibule.project.branding.BrandingStore;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads what the page's handlers need to know of a browser, and answers those that it cannot serve. */
final class HostedVisitHandler {
    /** As long as the application waits ({@link GetHostedUrlHandler}). */
    private static final Duration LINK_MEMORY = Duration.ofHours(1);

    private final Database database;
    private final PageVisitors visitors;
    private final HostedRequest.Signer signer;
    private final FormTokens formTokens;
    private final HostedPages pages;
    private final RedirectUrl ownRedirect;
    private final boolean isSecure;
    private final FormMemory memory;
    private final Predicate<Project> hasSmsCodes;
    private final Predicate<Project> hasPasskeys;
    private final Assets assets;
    private final PageSignIn providers;
    private final Clock clock;
    private final BrandingStore brandings = new BrandingStore();

    HostedVisitHandler(
            Database database,
            PageVisitors visitors,
            HostedRequest.Signer signer,
            FormTokens formTokens,
            HostedPages pages,
            RedirectUrl ownRedirect,
            boolean isSecure,
            FormMemory memory,
            Predicate<Project> hasSmsCodes,
            Predicate<Project> hasPasskeys,
            Assets assets,
            PageSignIn providers,
            Clock clock) {
        this.database = database;
        this.visitors = visitors;
        this.signer = signer;
        this.formTokens = formTokens;
        this.pages = pages;
        this.ownRedirect = ownRedirect;
        this.isSecure = isSecure;
        this.memory = memory;
        this.hasSmsCodes = hasSmsCodes;
        this.hasPasskeys = hasPasskeys;
        this.assets = assets;
        this.providers = providers;
        this.clock = clock;
    }

    /** Lets the browser in with what its query or form says the application has asked for. */
    Future<Reply> admit(RoutingContext ctx, @Nullable String requestText, Function<HostedVisit, Future<Reply>> serve) {
        return visitors.admit(ctx, ctx.pathParam("slug"))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.<HostedVisit>empty())
                        : visit(ctx, found.get(), Objects.requireNonNullElse(requestText, "")))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(
                                pages.unknown(Language.ofHeader(ctx.request().getHeader(HttpHeaders.ACCEPT_LANGUAGE))))
                        : serve(found.get(), serve));
    }

    private Future<Reply> serve(HostedVisit visit, Function<HostedVisit, Future<Reply>> serve) {
        return (visit.request().isEmpty() && !visit.requestText().isEmpty()
                        ? Future.succeededFuture(pages.expired(visit))
                        : serve.apply(visit))
                .map(reply -> reply.withHeader("Set-Cookie", cookie(visit)));
    }

    private Future<Optional<HostedVisit>> visit(RoutingContext ctx, Project project, String requestText) {
        return brandings
                .find(database.reads(), project.id())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : visit(ctx, project, found.get(), requestText).map(Optional::of));
    }

    private Future<HostedVisit> visit(RoutingContext ctx, Project project, Branding branding, String requestText) {
        return passkeyScript(ctx, project)
                .compose(script -> providers
                        .offers(project)
                        .map(offers -> HostedVisit.shown(offers, branding))
                        .map(offers -> visit(ctx, project, branding, requestText, script, offers)));
    }

    private Future<Optional<String>> passkeyScript(RoutingContext ctx, Project project) {
        return hasPasskeys.test(project)
                ? assets.files(ctx.vertx()).map(files -> Optional.of("../../" + files.folder() + "hosted/passkey.js"))
                : Future.succeededFuture(Optional.empty());
    }

    private HostedVisit visit(
            RoutingContext ctx,
            Project project,
            Branding branding,
            String requestText,
            Optional<String> passkeyScript,
            List<Offer> offers) {
        var request = request(project, requestText);
        request.map(HostedRequest::language).ifPresent(language -> RequestLanguage.choose(ctx, language));
        var cookie = Optional.ofNullable(ctx.request().getCookie(cookieName()))
                .map(Cookie::getValue)
                .filter(formTokens::isCookie)
                .orElseGet(formTokens::newCookie);
        return new HostedVisit(
                project,
                branding,
                RequestLanguage.of(ctx, project),
                request,
                requestText,
                cookie,
                formTokens.of(project.id(), cookie),
                hasSmsCodes.test(project),
                passkeyScript,
                offers);
    }

    private Optional<HostedRequest> request(Project project, String text) {
        return signer.read(project.id(), text, clock.instant()).filter(read -> isStillAllowed(project, read));
    }

    /** Goes on with what the application had asked for before the browser went elsewhere. */
    Future<Reply> resume(
            RoutingContext ctx, HostedVisit visit, String requestText, Function<HostedVisit, Future<Reply>> serve) {
        if (requestText.isEmpty()) {
            return serve.apply(visit);
        }
        return request(visit.project(), requestText)
                .map(request -> {
                    Optional.ofNullable(request.language())
                            .ifPresent(language -> RequestLanguage.choose(ctx, language));
                    return serve.apply(visit.with(RequestLanguage.of(ctx, visit.project()), request, requestText));
                })
                .orElseGet(() -> Future.succeededFuture(pages.expired(visit)));
    }

    /** The project may have taken an origin away since the application asked. */
    private boolean isStillAllowed(Project project, HostedRequest request) {
        try {
            new RedirectRules(project, ownRedirect).returnTo(request.returnTo());
            return true;
        } catch (InvalidValueException notAllowed) {
            return false;
        }
    }

    /** Whether the form was filled in on our page, in the browser that sends it. */
    boolean isOurForm(RoutingContext ctx, HostedVisit visit, @Nullable String token) {
        var site = ctx.request().getHeader("Sec-Fetch-Site");
        return (site == null || site.equals("same-origin"))
                && token != null
                && formTokens.matches(visit.project().id(), visit.cookie(), token);
    }

    /** Remembers in this browser what it wants to go on with when the link of a mail is opened. */
    void rememberLink(RoutingContext ctx, HostedVisit visit, String email) {
        var text = memory.write(visit, new LinkMemory(email, visit.requestText()).fields());
        ctx.response()
                .addCookie(Cookie.cookie(linkCookieName(), text)
                        .setPath("/")
                        .setHttpOnly(true)
                        .setSecure(isSecure)
                        .setSameSite(CookieSameSite.LAX)
                        .setMaxAge(LINK_MEMORY.toSeconds()));
    }

    /** Empty in a browser that has asked for no link here. */
    Optional<LinkMemory> linkAskedFor(RoutingContext ctx, HostedVisit visit) {
        return Optional.ofNullable(ctx.request().getCookie(linkCookieName()))
                .flatMap(cookie -> memory.read(visit, cookie.getValue()))
                .flatMap(LinkMemory::of);
    }

    private String linkCookieName() {
        return cookieName() + "-link";
    }

    /** With the prefix no neighbouring host can set it (RFC 6265bis, 4.1.3). */
    private String cookieName() {
        return isSecure ? "__Host-vestibule-page" : "vestibule-page";
    }

    private String cookie(HostedVisit visit) {
        return cookieName() + "=" + visit.cookie() + "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "");
    }
}
