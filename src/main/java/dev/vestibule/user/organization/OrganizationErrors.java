package dev.vestibule.user.organization;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;

/** The errors of several operations on organizations. */
final class OrganizationErrors {
    private OrganizationErrors() {}

    /** Also for people who are no members, so that nobody can probe for ids. */
    static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such organization.");
    }

    static ApiException noSuchMember() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The organization has no such member.");
    }

    static ApiException notAllowed(String permission) {
        return ApiException.of(
                ErrorCode.ROLE_NOT_ALLOWED, "Your role in this organization does not have " + permission + ".");
    }

    /** Otherwise a member could give themselves any permission. */
    static ApiException beyondOwnRole(String role) {
        return ApiException.of(
                ErrorCode.ROLE_NOT_ALLOWED,
                "The role " + role + " has permissions that yours does not have, so you cannot give or take it.");
    }

    static ApiException alreadyMember() {
        return ApiException.of(ErrorCode.ALREADY_MEMBER, "The user is already a member of the organization.");
    }

    static ApiException slugTaken() {
        return ApiException.of(ErrorCode.NAME_TAKEN, "Another organization of the project has this slug.");
    }

    static ApiException full(int maxMembers) {
        return ApiException.of(
                ErrorCode.LIMIT_REACHED,
                "The organization already has " + maxMembers + " members, as many as its maxMembers allows.");
    }

    static ApiException lastOwner() {
        return ApiException.of(
                ErrorCode.LAST_OWNER,
                "This is the last owner of the organization. Make another member an owner first.");
    }
}
