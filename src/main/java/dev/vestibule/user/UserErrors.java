package dev.vestibule.user;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import java.time.Duration;

/** The errors that several endpoints return for a user or an account, with the same message everywhere. */
public final class UserErrors {
    private UserErrors() {}

    /** The person has proved only an email, and needs the second factor. */
    public static ApiException factorRequired() {
        return ApiException.of(
                ErrorCode.MFA_REQUIRED,
                "This account has a second factor, so a mail alone does not sign in."
                        + " Sign in with your password or a passkey.");
    }

    public static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such user.");
    }

    /** The account of the caller, who was signed in when the request began. */
    public static ApiException deleted() {
        return ApiException.of(ErrorCode.ACCOUNT_DELETED, "The account was deleted.");
    }

    public static ApiException emailTaken() {
        return ApiException.of(ErrorCode.EMAIL_TAKEN, "This email is already registered.");
    }

    public static ApiException externalIdTaken() {
        return ApiException.of(ErrorCode.EXTERNAL_ID_TAKEN, "Another user has this externalId.");
    }

    public static ApiException banned() {
        return ApiException.of(ErrorCode.ACCOUNT_BANNED, "This account is banned.");
    }

    /** After a sign in with one factor, for an account with a passkey as its second factor. */
    public static ApiException passkeyRequired() {
        return ApiException.of(
                ErrorCode.PASSKEY_REQUIRED,
                "This account requires its passkey at every sign in. Sign in with the passkey.");
    }

    /** Refuses the removal of the last second factor. */
    public static ApiException lastSecondFactor() {
        return ApiException.of(
                ErrorCode.LAST_SECOND_FACTOR,
                "This project requires a second factor, and this is the last one of this account.");
    }

    /** Refuses the removal of the last way to sign in. */
    public static ApiException lastSignInMethod() {
        return ApiException.of(
                ErrorCode.LAST_SIGN_IN_METHOD,
                "This is the last way to sign in. Set a password, link a provider or a wallet, or add a passkey first.");
    }

    /** Another request is changing the same account, and all retries are used up. */
    public static ApiException beingChanged() {
        return ApiException.of(
                ErrorCode.UNAVAILABLE, "The account is being changed. Try again in a moment.", Duration.ofSeconds(1));
    }
}
