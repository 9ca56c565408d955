package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.authentication.oauth.RedirectRules;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.page.hosted.HostedRequest.ReturnTo;
import dev.vestibule.project.Project;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** The addresses of the page, and the requests of applications in them: signed, and valid for one project. */
final class HostedRequests {
    /** How much time a person has on the page. */
    static final Duration LIFETIME = Duration.ofHours(1);

    private final SignedFields signatures;
    private final URI publicUrl;
    private final RedirectUrl ownRedirect;
    private final Clock clock;

    HostedRequests(MasterKeys masterKeys, URI publicUrl, Clock clock) {
        this.signatures = new SignedFields(masterKeys, "hosted page requests");
        this.publicUrl = publicUrl;
        this.ownRedirect = RedirectUrl.of(publicUrl + "/v1/auth/oauth/redirect");
        this.clock = clock;
    }

    /** The address of a project's page, with a slash at its end. */
    String page(Project project) {
        return publicUrl + "/p/" + project.slug() + "/";
    }

    /** Where the project lets the page send a browser. */
    RedirectRules rules(Project project) {
        return new RedirectRules(project, ownRedirect);
    }

    /** The request as a text for a URL. */
    String write(Project project, HostedRequest request) {
        return signatures.write(project.id().toString(), request.fields());
    }

    /** Empty if the request was not written for this project, is too old, or is no longer allowed. */
    Optional<HostedRequest> read(Project project, String text) {
        return signatures
                .read(project.id().toString(), text)
                .flatMap(HostedRequest::of)
                .filter(request -> request.expiresAt().isAfter(clock.instant()))
                .filter(request -> request.authorization() != null || isStillAllowed(project, request));
    }

    /** The project may have removed an origin since the application's request. */
    private boolean isStillAllowed(Project project, HostedRequest request) {
        if (isOfAccount(project, request)) {
            return true;
        }
        try {
            rules(project).returnTo(request.returnTo().url());
            return true;
        } catch (InvalidValueException notAllowed) {
            return false;
        }
    }

    /** Whether the person signs in for the account page and not for an application. */
    boolean isOfAccount(Project project, HostedRequest request) {
        return request.authorization() == null && request.returnTo().url().equals(accountPage(project));
    }

    private String accountPage(Project project) {
        return page(project) + "account/";
    }

    /**
     * What a sign in for the account page needs, for the URL of the page to sign in.
     *
     * @param fresh whether the person has to sign in even if the browser knows them
     */
    String forAccount(HostedVisit visit, boolean fresh) {
        return write(
                visit.project(),
                new HostedRequest(
                        ReturnTo.withoutCode(accountPage(visit.project())),
                        Screen.SIGN_IN,
                        null,
                        visit.language(),
                        clock.instant().plus(LIFETIME),
                        fresh,
                        null));
    }

    /** A client's request to sign out, for the URL of its page. */
    String writeLogout(Project project, ObjectNode fields) {
        return signatures.write(project.id() + ".logout", fields);
    }

    Optional<ObjectNode> readLogout(Project project, String text) {
        return signatures.read(project.id() + ".logout", text);
    }
}
