package dev.vestibule.page.hosted;

import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.Branding;
import java.util.Optional;

/**
 * One request of a browser at the page.
 *
 * @param request what the application has asked for; empty for a visit by the bare address
 * @param requestText the same as it was signed, or empty
 * @param cookie the random text by which forms know the browser
 * @param formToken what its forms carry
 * @param hasSmsCodes whether people may sign in by a code in an SMS
 */
record HostedVisit(
        Project project,
        Branding branding,
        Language language,
        Optional<HostedRequest> request,
        String requestText,
        String cookie,
        String formToken,
        boolean hasSmsCodes) {

    /** Whether people enter a password here. */
    boolean hasPasswords() {
        return project.factors().password() && branding.showEmailPassword();
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
