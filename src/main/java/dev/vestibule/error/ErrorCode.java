package dev.vestibule.error;

import java.util.Locale;

/**
 * What went wrong, for programs: the {@code code} of an error response, which stays the same whatever the message says.
 * Each code belongs to one status. The API description says what each one means.
 */
public enum ErrorCode {
    BAD_REQUEST(ErrorStatus.BAD_REQUEST),
    MALFORMED_BODY(ErrorStatus.BAD_REQUEST),
    INVALID_PASSKEY_REGISTRATION(ErrorStatus.BAD_REQUEST),

    CREDENTIALS_REQUIRED(ErrorStatus.UNAUTHORIZED),
    PROJECT_DELETED(ErrorStatus.UNAUTHORIZED),
    INVALID_API_KEY(ErrorStatus.UNAUTHORIZED),
    INVALID_ACCESS_TOKEN(ErrorStatus.UNAUTHORIZED),
    INVALID_REFRESH_TOKEN(ErrorStatus.UNAUTHORIZED),
    SESSION_ENDED(ErrorStatus.UNAUTHORIZED),
    ACCOUNT_DELETED(ErrorStatus.UNAUTHORIZED),
    WRONG_CREDENTIALS(ErrorStatus.UNAUTHORIZED),
    WRONG_PASSWORD(ErrorStatus.UNAUTHORIZED),
    WRONG_CODE(ErrorStatus.UNAUTHORIZED),
    INVALID_LINK(ErrorStatus.UNAUTHORIZED),
    INVALID_MFA_TOKEN(ErrorStatus.UNAUTHORIZED),
    INVALID_PASSKEY(ErrorStatus.UNAUTHORIZED),
    INVALID_WALLET_SIGNATURE(ErrorStatus.UNAUTHORIZED),
    INVALID_STATE(ErrorStatus.UNAUTHORIZED),
    INVALID_IDENTITY_TOKEN(ErrorStatus.UNAUTHORIZED),
    INVALID_AUTHORIZATION_CODE(ErrorStatus.UNAUTHORIZED),
    WRONG_CODE_VERIFIER(ErrorStatus.UNAUTHORIZED),

    CREDENTIAL_NOT_ALLOWED(ErrorStatus.FORBIDDEN),
    PROJECT_MISMATCH(ErrorStatus.FORBIDDEN),
    ORIGIN_NOT_ALLOWED(ErrorStatus.FORBIDDEN),
    OWNER_REQUIRED(ErrorStatus.FORBIDDEN),
    ADMINISTRATOR_REQUIRED(ErrorStatus.FORBIDDEN),
    ROLE_NOT_ALLOWED(ErrorStatus.FORBIDDEN),
    ACCOUNT_BANNED(ErrorStatus.FORBIDDEN),
    REAUTHENTICATION_REQUIRED(ErrorStatus.FORBIDDEN, true),
    SECOND_FACTOR_REQUIRED(ErrorStatus.FORBIDDEN, true),
    PASSKEY_REQUIRED(ErrorStatus.FORBIDDEN, true),
    VERIFICATION_REQUIRED(ErrorStatus.FORBIDDEN, true),
    MFA_ENROLLMENT_REQUIRED(ErrorStatus.FORBIDDEN, true),
    IMPERSONATED_SESSION(ErrorStatus.FORBIDDEN, true),
    UNVERIFIED_EMAIL(ErrorStatus.FORBIDDEN, true),
    MFA_REQUIRED(ErrorStatus.FORBIDDEN),
    USER_VERIFICATION_REQUIRED(ErrorStatus.FORBIDDEN),
    PROVIDER_SENDS_NO_EMAIL(ErrorStatus.FORBIDDEN),
    SSO_REQUIRED(ErrorStatus.FORBIDDEN),
    FOREIGN_EMAIL(ErrorStatus.FORBIDDEN),
    CANCELLED(ErrorStatus.FORBIDDEN, true),
    STALE_FORM(ErrorStatus.FORBIDDEN),
    CAPTCHA_REQUIRED(ErrorStatus.FORBIDDEN),
    CAPTCHA_FAILED(ErrorStatus.FORBIDDEN),
    DASHBOARD_ACCOUNT(ErrorStatus.FORBIDDEN),
    TEST_PROJECT_REQUIRED(ErrorStatus.FORBIDDEN),
    SELF_DELETION_DISABLED(ErrorStatus.FORBIDDEN),
    SETUP_CODE_REQUIRED(ErrorStatus.FORBIDDEN),
    WRONG_SETUP_CODE(ErrorStatus.FORBIDDEN),
    REGISTRATION_CLOSED(ErrorStatus.FORBIDDEN),
    WRONG_INVITEE(ErrorStatus.FORBIDDEN),
    SYSTEM_PROJECT(ErrorStatus.FORBIDDEN),

    NOT_FOUND(ErrorStatus.NOT_FOUND),
    FEATURE_DISABLED(ErrorStatus.NOT_FOUND),
    PROVIDER_NOT_ENABLED(ErrorStatus.NOT_FOUND),

    METHOD_NOT_ALLOWED(ErrorStatus.METHOD_NOT_ALLOWED),
    REQUEST_TIMEOUT(ErrorStatus.REQUEST_TIMEOUT),

    EMAIL_TAKEN(ErrorStatus.CONFLICT),
    PHONE_TAKEN(ErrorStatus.CONFLICT),
    EXTERNAL_ID_TAKEN(ErrorStatus.CONFLICT),
    USER_ID_TAKEN(ErrorStatus.CONFLICT),
    IDENTITY_TAKEN(ErrorStatus.CONFLICT),
    NAME_TAKEN(ErrorStatus.CONFLICT),
    LIMIT_REACHED(ErrorStatus.CONFLICT),
    LINK_REQUIRED(ErrorStatus.CONFLICT),
    PROVIDER_ALREADY_LINKED(ErrorStatus.CONFLICT),
    LAST_SIGN_IN_METHOD(ErrorStatus.CONFLICT),
    LAST_SECOND_FACTOR(ErrorStatus.CONFLICT),
    PROJECT_OWNED(ErrorStatus.CONFLICT),
    LAST_OWNER(ErrorStatus.CONFLICT),
    ALREADY_MEMBER(ErrorStatus.CONFLICT),
    ACCOUNT_REQUIRED(ErrorStatus.CONFLICT),
    DOMAIN_NOT_PROVEN(ErrorStatus.CONFLICT),
    CONNECTION_REQUIRED(ErrorStatus.CONFLICT),
    EMAIL_REQUIRED(ErrorStatus.CONFLICT),
    NO_PASSWORD(ErrorStatus.CONFLICT),
    NO_TOTP(ErrorStatus.CONFLICT),
    NO_TOTP_SETUP(ErrorStatus.CONFLICT),
    TOTP_ALREADY_SET_UP(ErrorStatus.CONFLICT),
    PASSKEY_ALREADY_REGISTERED(ErrorStatus.CONFLICT),
    PASSKEYS_NOT_CONFIGURED(ErrorStatus.CONFLICT),
    AMBIGUOUS_PHONE(ErrorStatus.CONFLICT),
    USER_BANNED(ErrorStatus.CONFLICT),
    WEBHOOK_DISABLED(ErrorStatus.CONFLICT),
    DELIVERY_IN_PROGRESS(ErrorStatus.CONFLICT),

    PAYLOAD_TOO_LARGE(ErrorStatus.PAYLOAD_TOO_LARGE),
    URI_TOO_LONG(ErrorStatus.URI_TOO_LONG),
    UNSUPPORTED_MEDIA_TYPE(ErrorStatus.UNSUPPORTED_MEDIA_TYPE),
    INVALID_FIELDS(ErrorStatus.UNPROCESSABLE),
    DISPOSABLE_EMAIL(ErrorStatus.UNPROCESSABLE),

    TOO_MANY_REQUESTS(ErrorStatus.TOO_MANY_REQUESTS),
    ACCOUNT_LOCKED(ErrorStatus.TOO_MANY_REQUESTS),
    TOO_MANY_BAD_CREDENTIALS(ErrorStatus.TOO_MANY_REQUESTS),
    TOO_MANY_WRONG_CODES(ErrorStatus.TOO_MANY_REQUESTS),
    TOO_MANY_MAILS(ErrorStatus.TOO_MANY_REQUESTS),
    TOO_MANY_SMS(ErrorStatus.TOO_MANY_REQUESTS),
    TOO_MANY_EMAIL_CHANGES(ErrorStatus.TOO_MANY_REQUESTS),
    TOO_MANY_INVITATIONS(ErrorStatus.TOO_MANY_REQUESTS),

    HEADERS_TOO_LARGE(ErrorStatus.HEADERS_TOO_LARGE),
    INTERNAL_ERROR(ErrorStatus.INTERNAL),
    PROVIDER_FAILED(ErrorStatus.BAD_GATEWAY),
    UNAVAILABLE(ErrorStatus.UNAVAILABLE);

    private final ErrorStatus status;
    private final boolean isReason;

    ErrorCode(ErrorStatus status) {
        this(status, false);
    }

    ErrorCode(ErrorStatus status, boolean isReason) {
        this.status = status;
        this.isReason = isReason;
    }

    public ErrorStatus status() {
        return status;
    }

    /** Whether the response has it as {@code reason} too, which clients read before there were codes. */
    public boolean isReason() {
        return isReason;
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
