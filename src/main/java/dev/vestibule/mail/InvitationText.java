package dev.vestibule.mail;

import java.net.URI;
import java.util.Optional;

/** What a mail says of an invitation besides its token: how long it is good, and where it is accepted. */
record InvitationText(int days, Optional<URI> url) {
    /** Empty if no page is configured; a token has no characters that a query must escape. */
    String link(String token) {
        return url.map(page -> page + "?token=" + token).orElse("");
    }
}
