package dev.vestibule.page.hosted;

import dev.vestibule.authentication.oauth.PageSignIn.Offer;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.Branding;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One request of a browser at the page.
 *
 * @param request what the application has asked for; empty for a visit by the bare address
 * @param requestText the same as it was signed, or empty
 * @param cookie the random text by which forms know the browser
 * @param formToken what its forms carry
 * @param hasSmsCodes whether people may sign in by a code in an SMS
 * @param passkeyScript where the page has the script of passkeys; empty where they do not sign in here
 * @param providers with which people can sign in
 */
record HostedVisit(
        Project project,
        Branding branding,
        Language language,
        Optional<HostedRequest> request,
        String requestText,
        String cookie,
        String formToken,
        boolean hasSmsCodes,
        Optional<String> passkeyScript,
        List<Offer> providers) {

    private static final int MAX_REQUEST_OF_LINK = 2300;

    /** The providers as the project wants them shown. */
    static List<Offer> shown(List<Offer> offers, Branding branding) {
        var order = branding.providerOrder();
        return offers.stream()
                .filter(offer -> !branding.hiddenByProject().contains(offer.name()))
                .sorted(Comparator.comparingInt(
                        offer -> order.contains(offer.name()) ? order.indexOf(offer.name()) : order.size()))
                .toList();
    }

    /** Of this browser, with what an application has asked for. */
    HostedVisit with(Language ofRequest, Optional<HostedRequest> asked, String text) {
        return new HostedVisit(
                project, branding, ofRequest, asked, text, cookie, formToken, hasSmsCodes, passkeyScript, providers);
    }

    /** Whether what the application has asked for is damaged or too old, or not allowed any more. */
    boolean isExpired() {
        return request.isEmpty() && !requestText.isEmpty();
    }

    /** Where alone what is signed for a step of this visit is good. */
    String place() {
        return project.id() + "." + cookie;
    }

    /** Whether people enter a password here. */
    boolean hasPasswords() {
        return project.factors().password() && branding.showEmailPassword();
    }

    /** Whether people may sign in by a link in a mail; the cookie that remembers the request has a limit. */
    boolean hasLinks() {
        return project.factors().passwordless() && requestText.length() <= MAX_REQUEST_OF_LINK;
    }

    /** Whether people may sign in by a code in a mail. */
    boolean hasEmailCodes() {
        return project.factors().passwordless();
    }

    @Override
    public String toString() {
        return "HostedVisit[" + project.id() + "]";
    }
}
