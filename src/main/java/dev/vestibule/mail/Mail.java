package dev.vestibule.mail;

import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

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
    /** A logo attached to the mail: mail clients do not show data URLs, and most show neither SVG nor WebP. */
    record LogoAttachment(String contentType, Buffer image) {
        private static final Pattern DATA_URL = Pattern.compile("data:(image/(?:png|jpeg));base64,([A-Za-z0-9+/=]+)");

        /** Empty if mail clients do not show the type of the image. */
        static Optional<LogoAttachment> of(String dataUrl) {
            var parts = DATA_URL.matcher(dataUrl);
            return parts.matches()
                    ? Optional.of(new LogoAttachment(
                            parts.group(1), Buffer.buffer(Base64.getDecoder().decode(parts.group(2)))))
                    : Optional.empty();
        }
    }

    /** The content id by which the HTML refers to the logo. */
    static final String LOGO_CONTENT_ID = "logo";

    /** Redacted, so that a code never reaches a log. */
    @Override
    public String toString() {
        return "Mail[" + id + "]";
    }
}
