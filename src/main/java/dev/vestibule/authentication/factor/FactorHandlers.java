package dev.vestibule.authentication.factor;

/** The operations on second factors, for one event loop. */
public record FactorHandlers(
        SetUpTotpHandler setUpTotp,
        VerifyTotpSetupHandler verifyTotpSetup,
        DisableMfaHandler disable,
        GetMfaStatusHandler status,
        RegenerateBackupCodesHandler regenerateBackupCodes,
        ResetUserFactorsHandler reset) {}
