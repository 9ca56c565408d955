package dev.vestibule.config;

import java.time.Duration;

/** Quotas for each client address and project, and the lock of an account that somebody guesses at. */
public record LimitSettings(
        boolean enabled,
        int signupPerMinute,
        int signinPerMinute,
        int refreshPerMinute,
        int codesPerMinute,
        int oauthPerMinute,
        int oauthPollPerMinute,
        int dashboardRegisterPerMinute,
        int dashboardLoginPerMinute,
        int dashboardMembersPerMinute,
        int failedSignins,
        Duration failedSigninWindow,
        Duration lockTime,
        int maxTracked) {

    static LimitSettings read(SettingsSection limits) {
        SettingType<Integer> quota = SettingType.wholeNumber(1, 1_000_000);
        return new LimitSettings(
                limits.value("enabled", SettingType.FLAG, "true", "false lifts all of them, the lock of accounts too."),
                limits.value("signupPerMinute", quota, "60", "Sign ups a minute."),
                limits.value("signinPerMinute", quota, "60", "Sign ins a minute."),
                limits.value("refreshPerMinute", quota, "120", "Refreshes a minute."),
                limits.value(
                        "codesPerMinute",
                        quota,
                        "20",
                        "Requests a minute for codes by mail, and with such codes, all together."),
                limits.value(
                        "oauthPerMinute",
                        quota,
                        "120",
                        "Steps of sign ins with identity providers a minute: asking where to go, and coming back."),
                limits.value(
                        "oauthPollPerMinute",
                        quota,
                        "600",
                        "Questions a minute how a sign in with an identity provider stands."),
                limits.value("dashboardRegisterPerMinute", quota, "20", "Registrations of dashboard users a minute."),
                limits.value("dashboardLoginPerMinute", quota, "30", "Sign ins of dashboard users a minute."),
                limits.value(
                        "dashboardMembersPerMinute",
                        quota,
                        "20",
                        "Members added to projects a minute, since the answer tells who is a dashboard user."),
                limits.value(
                        "failedSignins",
                        SettingType.wholeNumber(1, 1000),
                        "10",
                        "So many failed sign ins within the window, on all nodes together, lock an account."),
                limits.value("failedSigninWindowSeconds", SettingType.seconds(1, 86_400), "900", "That window."),
                limits.value(
                        "lockSeconds",
                        SettingType.seconds(1, 604_800),
                        "900",
                        "How long a locked account takes no password; its sessions go on."),
                limits.value(
                        "maxTracked",
                        SettingType.wholeNumber(1000, 10_000_000),
                        "100000",
                        "Most client addresses counted at once on this node."));
    }
}
