package dev.vestibule.mail;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.config.MailSettings;
import java.net.URI;

/**
 * The parts of an invitation mail besides the token: the sender, the validity in days, and the URL of the page that
 * accepts it, up to the token.
 */
record InvitationText(String sender, int days, String page) {
    /**
     * Links to the operator's own page, or to the console, with the token in the fragment, which no browser sends and
     * no log contains.
     */
    static InvitationText of(MailSettings mail, DashboardSettings dashboard, URI publicUrl) {
        return new InvitationText(
                mail.fromName(),
                dashboard.invitationDays(),
                dashboard.invitationUrl().map(url -> url + "?token=").orElse(publicUrl + "/console/#/invitation/"));
    }

    /** A token has no characters that need escaping in a query or a fragment. */
    String link(String token) {
        return page + token;
    }
}
