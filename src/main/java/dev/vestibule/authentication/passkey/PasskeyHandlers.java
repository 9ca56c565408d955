package dev.vestibule.authentication.passkey;

/** The operations on passkeys, for one event loop. */
public record PasskeyHandlers(
        BeginPasskeyRegistrationHandler beginRegistration,
        FinishPasskeyRegistrationHandler finishRegistration,
        BeginPasskeySignInHandler beginSignIn,
        FinishPasskeySignInHandler finishSignIn,
        ListPasskeysHandler list,
        RenamePasskeyHandler rename,
        DeletePasskeyHandler delete,
        ListUserPasskeysHandler listOfUser,
        DeleteUserPasskeyHandler deleteOfUser) {}
