package dev.vestibule.mail;

import java.util.Optional;

/** A mail as it goes out; the id tells one attempt at one mail from all others. */
record Mail(
        String id, String sender, String to, String subject, String text, String html, Optional<LogoAttachment> logo) {
    /** Under which the HTML refers to the logo. */
    static final String LOGO_ID = "logo";

    /** Redacted, so that a code never reaches a log by chance. */
    @Override
    public String toString() {
        return "Mail[" + id + "]";
    }
}
