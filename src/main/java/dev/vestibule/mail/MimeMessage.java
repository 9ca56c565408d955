package dev.vestibule.mail;

import dev.vestibule.mail.Mail.LogoAttachment;
import dev.vestibule.user.EmailDomain;
import io.vertx.core.MultiMap;
import io.vertx.ext.mail.MailAttachment;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.mailencoder.EmailAddress;

/** A mail for the Vert.x client: text and HTML as alternatives, with the logo inside. */
final class MimeMessage {
    private MimeMessage() {}

    /** Throws an IllegalArgumentException if the recipient's address cannot be used with SMTP. */
    static MailMessage of(Mail mail, String from) {
        var to = new EmailAddress(asciiAddress(mail.to())).getEmail(); // throws if the client cannot encode it
        var message = new MailMessage(from, to, null, mail.text())
                .setHtml(mail.html())
                .setHeaders(MultiMap.caseInsensitiveMultiMap()
                        .set("From", EncodedWords.of(mail.sender()) + " <" + from + ">")
                        .set("Subject", EncodedWords.of(mail.subject()))
                        .set("Message-ID", "<" + mail.id() + "@" + domain(from) + ">")
                        .set("Auto-Submitted", "auto-generated")); // asks for no automatic replies (RFC 3834)
        mail.logo().ifPresent(logo -> message.setInlineAttachment(attachment(logo)));
        return message;
    }

    private static MailAttachment attachment(LogoAttachment logo) {
        return MailAttachment.create()
                .setData(logo.image())
                .setContentType(logo.contentType())
                .setDisposition("inline")
                .setContentId("<" + Mail.LOGO_CONTENT_ID + ">");
    }

    /** Encodes the domain in ASCII; only the recipient's server interprets the part before it. */
    private static String asciiAddress(String email) {
        return email.substring(0, email.lastIndexOf('@') + 1) + EmailDomain.ascii(domain(email));
    }

    /** The part of an email address after the @. */
    static String domain(String email) {
        return email.substring(email.lastIndexOf('@') + 1);
    }
}
