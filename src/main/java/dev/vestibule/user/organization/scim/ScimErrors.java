package dev.vestibule.user.organization.scim;

import com.unboundid.scim2.common.exceptions.ScimException;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import java.util.Map;
import java.util.Objects;

/** The errors of SCIM operations, with the {@code scimType} of RFC 7644, 3.12. */
final class ScimErrors {
    static final String TYPE = "scimType";

    private ScimErrors() {}

    static ApiException invalidValue(String detail) {
        return bad("invalidValue", detail);
    }

    /** Without the attribute's name, which may be blank or have line breaks. */
    static ApiException tooManyValues(int maximum) {
        return invalidValue("An attribute can have at most " + maximum + " values");
    }

    static ApiException invalidSyntax(String detail) {
        return bad("invalidSyntax", detail);
    }

    static ApiException invalidPath(String detail) {
        return bad("invalidPath", detail);
    }

    static ApiException invalidFilter(String detail) {
        return bad("invalidFilter", detail);
    }

    static ApiException noTarget(String detail) {
        return bad("noTarget", detail);
    }

    static ApiException tooMany(String detail) {
        return bad("tooMany", detail);
    }

    /** What the SDK does not accept. */
    static ApiException of(ScimException refused) {
        return bad(
                Objects.requireNonNullElse(refused.getScimError().getScimType(), "invalidValue"),
                Objects.requireNonNullElse(refused.getMessage(), "The request is not valid."));
    }

    private static ApiException bad(String type, String detail) {
        return ApiException.of(ErrorCode.BAD_REQUEST, detail, Map.of(TYPE, type));
    }

    static ApiException taken(String detail) {
        return ApiException.of(ErrorCode.NAME_TAKEN, detail, Map.of(TYPE, "uniqueness"));
    }

    static ApiException noSuchUser() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The directory has no such user.");
    }

    static ApiException noSuchGroup() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The directory has no such group.");
    }

    static ApiException tooManyResources(String of, int maximum) {
        return ApiException.of(ErrorCode.LIMIT_REACHED, "The directory already has " + maximum + " " + of + ".");
    }

    /** Otherwise a directory could take over any account. */
    static ApiException outsideDomains() {
        return ApiException.of(
                ErrorCode.CREDENTIAL_NOT_ALLOWED,
                "The account with this email is not this directory's, and the organization has not proven the domain of"
                        + " the email.");
    }

    static ApiException emailOutsideDomains() {
        return ApiException.of(
                ErrorCode.CREDENTIAL_NOT_ALLOWED,
                "The email of this account can only become one of a domain that the organization has proven.");
    }
}
