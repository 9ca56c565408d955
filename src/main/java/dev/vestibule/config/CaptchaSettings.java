package dev.vestibule.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** When captchas are asked for, how hard a proof of work is, and where providers verify solutions. */
public record CaptchaSettings(
        int networkPercent,
        int projectPercent,
        int cost,
        int digits,
        Duration lifetime,
        int maxSpent,
        URI turnstileUrl,
        URI hcaptchaUrl,
        Duration providerTimeout,
        Optional<Path> disposableDomainsFile) {

    static CaptchaSettings read(SettingsSection captcha, Path workingDirectory) {
        return new CaptchaSettings(
                captcha.value(
                        "networkPercent",
                        SettingType.wholeNumber(1, 100),
                        "100",
                        "Pressure of one network: so many percent of limits.signupPerMinute go without a captcha, and so"
                                + " many of limits.codesPerMinute. At 100, the network gets 429 before."),
                captcha.value(
                        "projectPercent",
                        SettingType.wholeNumber(1, 1_000_000),
                        "300",
                        "Pressure of a project: as networkPercent, for the requests of all networks together. At 300,"
                                + " three networks that use their limits up are pressure."),
                captcha.value(
                        "cost",
                        SettingType.wholeNumber(1, 1_000_000),
                        "1000",
                        "Iterations of PBKDF2 in one try of a proof of work, and in verifying it."),
                captcha.value(
                        "digits",
                        SettingType.wholeNumber(1, 8),
                        "3",
                        "Hexadecimal digits that a proof of work must find. Each one makes it take 16 times as many tries;"
                                + " 3 take 4096, about 2 seconds in a browser."),
                captcha.value(
                        "lifetimeSeconds",
                        SettingType.seconds(30, 3600),
                        "600",
                        "How long a challenge can be solved and used."),
                captcha.value(
                        "maxSpent",
                        SettingType.wholeNumber(100, 10_000_000),
                        "100000",
                        "Maximum number of accepted solutions of one project that are remembered until they expire; above"
                                + " it, no further ones are accepted."),
                captcha.value(
                        "turnstileUrl",
                        SettingType.HTTP_URL,
                        "https://challenges.cloudflare.com/turnstile/v0/siteverify",
                        "Where Turnstile verifies solutions, for projects that use it."),
                captcha.value(
                        "hcaptchaUrl",
                        SettingType.HTTP_URL,
                        "https://api.hcaptcha.com/siteverify",
                        "Where hCaptcha verifies solutions, for projects that use it."),
                captcha.value(
                        "providerTimeoutMillis",
                        SettingType.millis(50, 30_000),
                        "5000",
                        "Longest wait for a captcha provider; if it does not answer, the request gets 502."),
                captcha.optional(
                        "disposableDomainsFile",
                        SettingType.existingFile(workingDirectory),
                        "/etc/vestibule/disposable-domains.txt",
                        "Domains of disposable mailboxes, one a line, instead of the built-in list; for projects that"
                                + " flag or refuse them."));
    }
}
