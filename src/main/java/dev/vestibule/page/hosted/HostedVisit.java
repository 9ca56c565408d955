package dev.vestibule.page.hosted;

import dev.vestibule.access.captcha.Captcha.Widget;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.authentication.oauth.PageSignIn.Offer;
import dev.vestibule.page.AssetFiles;
import dev.vestibule.page.hosted.FormTokens.Proof;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.Branding;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One request of a browser to the page.
 *
 * @param request the application's request; empty for a visit to the bare URL
 * @param requestText the signed text of the request, or empty
 * @param files the files that the page can load; empty where no script can run
 */
record HostedVisit(
        Project project,
        Branding branding,
        Language language,
        Optional<HostedRequest> request,
        String requestText,
        Proof proof,
        Optional<AssetFiles> files,
        Offered offered) {

    /**
     * What the page offers in addition to what the project's settings say by themselves.
     *
     * @param smsCodes whether people can sign in with a code by SMS
     * @param passkeys whether passkeys can sign in here
     * @param providers the providers that people can sign in with
     * @param captchas the captcha that a form needs now, if any
     */
    record Offered(
            boolean smsCodes,
            boolean passkeys,
            List<Offer> providers,
            Function<CaptchaPurpose, Optional<Widget>> captchas) {}

    HostedVisit withProof(Proof other) {
        return new HostedVisit(project, branding, language, request, requestText, other, files, offered);
    }

    private static final int MAX_REQUEST_OF_LINK = 2300;

    /** The providers in the order of the project, without the hidden ones. */
    static List<Offer> shown(List<Offer> offers, Branding branding) {
        var order = branding.providerOrder();
        return offers.stream()
                .filter(offer -> !branding.hiddenByProject().contains(offer.name()))
                .sorted(Comparator.comparingInt(
                        offer -> order.contains(offer.name()) ? order.indexOf(offer.name()) : order.size()))
                .toList();
    }

    /** The visit of the same browser with an application's request. */
    HostedVisit with(Language ofRequest, Optional<HostedRequest> asked, String text) {
        return new HostedVisit(project, branding, ofRequest, asked, text, proof, files, offered);
    }

    /** Whether the application's request is damaged, too old, or no longer allowed. */
    boolean isExpired() {
        return request.isEmpty() && !requestText.isEmpty();
    }

    /** The scope of the signatures for steps of this visit: they are valid only here. */
    String place() {
        return project.id() + "." + proof.cookie();
    }

    /** Whether a client of the authorization server waits for the end of it, perhaps with a window of its own. */
    boolean isAuthorization() {
        return request.filter(asked -> asked.authorization() != null).isPresent();
    }

    /** Whether people enter a password here. */
    boolean hasPasswords() {
        return project.factors().password() && branding.showEmailPassword();
    }

    /** Whether people can sign in with a link by mail; the cookie that stores the request has a size limit. */
    boolean hasLinks() {
        return project.factors().passwordless() && requestText.length() <= MAX_REQUEST_OF_LINK;
    }

    /** Whether people can sign in with a code by mail. */
    boolean hasEmailCodes() {
        return project.factors().passwordless();
    }

    /** Whether people type something on the first screen. */
    boolean hasForm() {
        return hasPasswords() || hasEmailCodes() || offered.smsCodes();
    }

    /** Whether people can sign in without a connection of an organization. */
    boolean hasOwnWays() {
        return hasForm() || offered.passkeys() || !offered.providers().isEmpty();
    }

    @Override
    public String toString() {
        return "HostedVisit[" + project.id() + "]";
    }
}
