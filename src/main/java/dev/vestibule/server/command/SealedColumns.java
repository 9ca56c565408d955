package dev.vestibule.server.command;

import dev.vestibule.access.captcha.CaptchaModule;
import dev.vestibule.authentication.oauth.ProviderModule;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.project.transfer.ProjectImport.SealedColumn;
import dev.vestibule.token.TokenModule;
import dev.vestibule.webhook.WebhookModule;
import java.util.List;

/**
 * The columns that must open before this server uses another server's data: otherwise, sign ins and deliveries of
 * projects would fail.
 */
final class SealedColumns {
    private SealedColumns() {}

    static List<SealedColumn> of(MasterKeys given) {
        return List.of(
                new SealedColumn("signing_keys", "sealed_private_jwk", TokenModule.sealer(given)),
                new SealedColumn("identity_providers", "sealed_client_secret", ProviderModule.clientSecrets(given)),
                new SealedColumn("captcha_secrets", "sealed_secret", CaptchaModule.sealer(given)),
                new SealedColumn("webhooks", "sealed_secret", WebhookModule.sealer(given)),
                new SealedColumn("webhooks", "sealed_previous_secret", WebhookModule.sealer(given)));
    }
}
