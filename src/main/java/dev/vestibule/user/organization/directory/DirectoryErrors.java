package dev.vestibule.user.organization.directory;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;

/** The errors of several operations on directories. */
final class DirectoryErrors {
    private DirectoryErrors() {}

    static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The organization has no such directory.");
    }

    static ApiException noSuchToken() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The directory has no such token.");
    }

    static ApiException tooMany(int maximum) {
        return ApiException.of(
                ErrorCode.LIMIT_REACHED, "An organization can have at most " + maximum + " directories.");
    }

    static ApiException tooManyTokens(int maximum) {
        return ApiException.of(
                ErrorCode.LIMIT_REACHED,
                "The directory already has " + maximum + " tokens. Revoke the one that it no longer uses first.");
    }
}
