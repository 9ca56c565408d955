package dev.vestibule.authentication.passwordless;

import dev.vestibule.error.ApiException;
import dev.vestibule.mail.PasswordlessKind;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;

/** What requests for a mail have in common. */
final class PasswordlessRequest {
    private PasswordlessRequest() {}

    /** A 404 where the project has switched this off; dashboard users sign in to what owns all projects. */
    static Project allowed(Project project) {
        if (project.id().equals(ProjectId.SYSTEM)) {
            throw ApiException.notFound("Dashboard users sign in with their password at /v1/dashboard/auth/login.");
        }
        project.factors().requirePasswordless();
        return project;
    }

    /** A link needs a page that posts its token; without one its mail carries a code. */
    static PasswordlessKind linkOf(Project project) {
        return project.magicLinkPage() == null ? PasswordlessKind.EMAIL_OTP : PasswordlessKind.MAGIC_LINK;
    }

    /** One answer, whether or not a mail is sent. */
    static String message(PasswordlessKind kind) {
        return "If this email can sign in, a " + (kind == PasswordlessKind.MAGIC_LINK ? "link" : "code")
                + " is on its way to it.";
    }
}
