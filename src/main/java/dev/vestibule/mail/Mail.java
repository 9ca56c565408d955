package dev.vestibule.mail;

import java.util.Optional;

/** A rendered mail. Each attempt to send it has its own id. */
record Mail(
        String id,
        String sender,
        String to,
        String subject,
        String code,
        String text,
        String html,
        Optional<LogoAttachment> logo) {
    /** The content id by which the HTML refers to the logo. */
    static final String LOGO_CONTENT_ID = "logo";

    /** Redacted, so that a code never reaches a log. */
    @Override
    public String toString() {
        return "Mail[" + id + "]";
    }
}
