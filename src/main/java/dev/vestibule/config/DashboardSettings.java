package dev.vestibule.config;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Who may register as a dashboard user; email and password are set together or not at all. */
public record DashboardSettings(
        Registration registration,
        Optional<String> email,
        Optional<Secret> password,
        List<String> administrators,
        List<String> allowedOrigins,
        int invitationDays,
        Optional<URI> invitationUrl,
        int maxInvitations,
        int maxProjects) {
    /** Those who may register as a dashboard user without being added by another one. */
    public enum Registration {
        /** Only while there is no dashboard user, from this machine or with the setup code. */
        FIRST,
        OPEN,
        CLOSED
    }

    static DashboardSettings read(SettingsSection dashboard) {
        return new DashboardSettings(
                dashboard.value(
                        "registration",
                        SettingType.choice(Registration.class),
                        "first",
                        "Who may register: only the first dashboard user (from this machine, or with the setup code"
                                + " that the server prints when it starts), everyone, or no one."),
                dashboard.optional(
                        "email",
                        SettingType.EMAIL,
                        "admin@example.com",
                        "The account that the server creates when it starts, if it does not exist yet; needs password"
                                + " too."),
                dashboard.optional("password", SettingType.PASSWORD, "<yours>", "The password of that account."),
                dashboard.list(
                        "administrators",
                        SettingType.EMAIL,
                        "admin@example.com",
                        "The dashboard users who see all projects and the state of the server, and adopt projects"
                                + " without an owner. An account counts once its email is verified."),
                dashboard.list(
                        "allowedOrigins",
                        SettingType.ORIGIN,
                        "https://console.example.com",
                        "Web origins other than that of publicUrl whose pages can call /v1/dashboard. Without a public"
                                + " publicUrl, pages at localhost and IP addresses of this server can too."),
                dashboard.value(
                        "invitationDays",
                        SettingType.days(1, 90),
                        "7",
                        "How long a person can accept an invitation to a project after it was mailed."),
                dashboard.optional(
                        "invitationUrl",
                        SettingType.HTTP_URL,
                        "https://console.example.com/invitation",
                        "The page that accepts invitations: mails have a link to it with ?token= and the token. Without"
                                + " it, the link is to the console."),
                dashboard.value(
                        "maxInvitations",
                        SettingType.wholeNumber(1, 10_000),
                        "100",
                        "Maximum number of open invitations of one project."),
                dashboard.value(
                        "maxProjects",
                        SettingType.wholeNumber(1, 100_000),
                        "100",
                        "A dashboard user who owns this many projects cannot create another: each project has its own"
                                + " share of the threads that hash passwords."));
    }
}
