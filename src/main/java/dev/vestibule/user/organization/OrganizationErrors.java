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

    static ApiException noSuchInvitation() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The organization has no such open invitation.");
    }

    /** The same, whatever is wrong with the token. */
    static ApiException unknownToken() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The invitation is unknown, used, revoked or expired.");
    }

    static ApiException accountRequired() {
        return ApiException.of(
                ErrorCode.ACCOUNT_REQUIRED, "Nobody has signed up with the invited email yet. Sign up with it first.");
    }

    static ApiException wrongInvitee() {
        return ApiException.of(
                ErrorCode.WRONG_INVITEE,
                "This invitation is for another email. Sign in with the one that it was mailed to.");
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
