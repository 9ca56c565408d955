package dev.vestibule.mail;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.config.MailSettings;
import java.net.URI;

/**
 * What a mail says of an invitation besides its token: who sends it, how long it is good, and the page that accepts it, whose
 * address ends where the token begins.
 */
record InvitationText(String sender, int days, String page) {
    /** The operator's own page, or the console: there the token is in the fragment, which no browser sends and no log has. */
    static InvitationText of(MailSettings mail, DashboardSettings dashboard, URI publicUrl) {
        return new InvitationText(
                mail.fromName(),
                dashboard.invitationDays(),
                dashboard.invitationUrl().map(url -> url + "?token=").orElse(publicUrl + "/console/#/invitation/"));
    }

    /** A token has no characters that a query or a fragment must escape. */
    String link(String token) {
        return page + token;
    }
}
