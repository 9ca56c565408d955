package dev.vestibule.config;

import java.time.Duration;

/** Rate limits for each client address and project, and the lock of an account after failed sign ins. */
public record LimitSettings(
        boolean enabled,
        int signupPerMinute,
        int signinPerMinute,
        int refreshPerMinute,
        int changesPerMinute,
        int codesPerMinute,
        int oauthPerMinute,
        int oauthServerPerMinute,
        int oauthPollPerMinute,
        int dashboardRegisterPerMinute,
        int dashboardLoginPerMinute,
        int dashboardMembersPerMinute,
        int invitationsPerDay,
        int invitationsToOneAddressPerDay,
        int invitationsPerAddressPerDay,
        int badCredentialsPerMinute,
        int signingKeyRotationsPerMinute,
        int brandingPerMinute,
        int pagesPerMinute,
        int captchasPerMinute,
        int scimPerMinute,
        int failedSignins,
        Duration failedSigninWindow,
        Duration lockTime,
        Duration knownNetworkTime,
        int knownNetworks,
        int wrongCodesPerDay,
        int wrongCodesPerHour,
        int registrationsPerDay,
        int clientDocumentsPerDay,
        int maxTracked) {

    static LimitSettings read(SettingsSection limits) {
        SettingType<Integer> quota = SettingType.wholeNumber(1, 1_000_000);
        return new LimitSettings(
                limits.value(
                        "enabled",
                        SettingType.FLAG,
                        "true",
                        "false switches all limits off, including the lock of accounts."),
                limits.value("signupPerMinute", quota, "60", "Sign ups per minute."),
                limits.value("signinPerMinute", quota, "60", "Sign ins per minute."),
                limits.value("refreshPerMinute", quota, "120", "Refreshes per minute."),
                limits.value(
                        "changesPerMinute",
                        quota,
                        "300",
                        "Changes by signed-in users per minute, of those that no other limit counts, in total."),
                limits.value(
                        "codesPerMinute",
                        quota,
                        "20",
                        "Requests per minute that ask for a code by mail or submit one, in total."),
                limits.value(
                        "oauthPerMinute",
                        quota,
                        "120",
                        "Requests per minute that start or complete a sign in with an identity provider, in total."),
                limits.value(
                        "oauthServerPerMinute",
                        quota,
                        "6000",
                        "As oauthPerMinute, for requests with a secret key: an application's server signs in all of"
                                + " its users from one address."),
                limits.value(
                        "oauthPollPerMinute",
                        quota,
                        "600",
                        "Polls per minute for the result of a sign in with an identity provider."),
                limits.value("dashboardRegisterPerMinute", quota, "20", "Registrations of dashboard users per minute."),
                limits.value("dashboardLoginPerMinute", quota, "30", "Sign ins of dashboard users per minute."),
                limits.value(
                        "dashboardMembersPerMinute",
                        quota,
                        "20",
                        "Invitations to projects per minute, sent or accepted, in total."),
                limits.value(
                        "invitationsPerDay",
                        quota,
                        "100",
                        "Invitations that one dashboard user sends per day, to all projects and on all nodes together."),
                limits.value(
                        "invitationsToOneAddressPerDay",
                        quota,
                        "10",
                        "Invitations that one dashboard user sends to one address per day."),
                limits.value(
                        "invitationsPerAddressPerDay",
                        quota,
                        "50",
                        "Invitations mailed to one address per day by everyone, to all projects and on all nodes"
                                + " together."),
                limits.value(
                        "badCredentialsPerMinute",
                        quota,
                        "600",
                        "How many nonexistent API keys, tokens and project ids this node looks up per minute for one"
                                + " client address, of all projects together; above it, only what this node knows to"
                                + " be valid is accepted from that address. Also how many wrong secrets or signatures"
                                + " of one OAuth client."),
                limits.value(
                        "signingKeyRotationsPerMinute",
                        quota,
                        "10",
                        "Rotations and revocations of signing keys per minute, which empty caches on all nodes."),
                limits.value(
                        "brandingPerMinute",
                        quota,
                        "120",
                        "Changes and previews of brandings per minute, in total; each one checks a logo and renders"
                                + " pages and mails."),
                limits.value(
                        "pagesPerMinute",
                        quota,
                        "600",
                        "Requests per minute to a project's hosted page, its style sheet and its forms, in total."),
                limits.value("captchasPerMinute", quota, "120", "Challenges of proofs of work per minute."),
                limits.value(
                        "scimPerMinute",
                        quota,
                        "3000",
                        "Requests per minute with the tokens of one directory, from all addresses together."),
                limits.value(
                        "failedSignins",
                        SettingType.wholeNumber(1, 1000),
                        "10",
                        "This many failed sign ins within the window, on all nodes together, lock an account."),
                limits.value(
                        "failedSigninWindowSeconds",
                        SettingType.seconds(1, 86_400),
                        "900",
                        "The window in which failed sign ins are counted."),
                limits.value(
                        "lockSeconds",
                        SettingType.seconds(1, 604_800),
                        "900",
                        "How long a locked account accepts no password; its sessions stay valid."),
                limits.value(
                        "knownNetworkSeconds",
                        SettingType.seconds(1, 31_536_000),
                        "2592000",
                        "A network from which an account signed in within this time has its own count of failed sign"
                                + " ins; failures of strangers do not lock the account there."),
                limits.value(
                        "knownNetworks",
                        SettingType.wholeNumber(1, 1000),
                        "20",
                        "How many of these networks are remembered for an account, the latest ones."),
                limits.value(
                        "wrongCodesPerDay",
                        SettingType.wholeNumber(1, 1000),
                        "20",
                        "Wrong codes, of mails, SMS and authenticator apps, per account and day, on all nodes"
                                + " together. Each network from which the account signed in recently has the same"
                                + " number of its own."),
                limits.value(
                        "wrongCodesPerHour",
                        SettingType.wholeNumber(1, 1_000_000),
                        "1000",
                        "Wrong codes of email verification per project and hour, on all nodes together. Above it, only"
                                + " networks without a wrong code in that hour can try one."),
                limits.value(
                        "registrationsPerDay",
                        SettingType.wholeNumber(1, 1_000_000),
                        "50",
                        "Clients that register themselves per project, client network and day, on all nodes together,"
                                + " where a project allows it."),
                limits.value(
                        "clientDocumentsPerDay",
                        SettingType.wholeNumber(1, 1_000_000),
                        "200",
                        "Metadata documents of clients that a project does not know yet, per project, client network"
                                + " and day, on all nodes together. Further ones are not read, and the request gets a 429."),
                limits.value(
                        "maxTracked",
                        SettingType.wholeNumber(1000, 10_000_000),
                        "100000",
                        "Maximum number of client addresses counted at once on this node."));
    }
}
