package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.page.hosted.HostedCodeStore.Grant;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Sessions of users whom an owner acts as: each waits in the owner's browser for the next sign in that an application
 * begins there.
 */
final class LentSessions {
    private final HostedCodes codes;
    private final PageCookies cookies;

    LentSessions(HostedCodes codes, PageCookies cookies) {
        this.codes = codes;
        this.cookies = cookies;
    }

    /** Lends the session to the browser, for as long as a code is valid. */
    Future<Void> lend(ApiRequest request, ProjectId project, SessionId session, UserId user) {
        return codes.lend(project, session, user)
                .onSuccess(secret -> request.http()
                        .response()
                        .addCookie(cookies.of(name(project), secret).setMaxAge(HostedCodes.LIFETIME.toSeconds())))
                .mapEmpty();
    }

    /** The session that the application gets in this browser, once; empty if its own person signs in. */
    Future<Optional<Grant>> take(ApiRequest request, ProjectId project) {
        var given = request.http().getCookie(cookies.name(name(project)));
        if (given == null) {
            return Future.succeededFuture(Optional.empty());
        }
        request.http().response().addCookie(cookies.of(name(project), "").setMaxAge(0));
        return codes.takeLent(project, given.getValue());
    }

    private static String name(ProjectId project) {
        return "acting-" + project;
    }
}
