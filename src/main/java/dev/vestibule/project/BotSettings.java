package dev.vestibule.project;

import org.jspecify.annotations.Nullable;

/**
 * How a project protects itself against bots.
 *
 * @param siteKey the public key of the project's account with the provider; null for a proof of work
 */
public record BotSettings(
        @ProjectSetting(column = "captcha_demand", field = "captcha.when")
        CaptchaDemand when,

        @ProjectSetting(column = "captcha_provider", field = "captcha.provider")
        CaptchaProvider provider,

        @ProjectSetting(column = "captcha_site_key", field = "captcha.siteKey", rule = TextRule.SITE_KEY) @Nullable
        String siteKey,

        @ProjectSetting(column = "disposable_emails") DisposableEmailRule disposableEmails) {}
