package dev.vestibule.user.organization;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.user.organization.OrganizationDomain.TextRecord;
import java.time.Duration;

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

    /** Does not say what is wrong with the token: somebody who guesses learns nothing. */
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

    static ApiException noSuchDomain() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The organization has no such domain.");
    }

    static ApiException hasDomain() {
        return ApiException.of(ErrorCode.NAME_TAKEN, "The organization has this domain already.");
    }

    static ApiException tooManyDomains(int maximum) {
        return ApiException.of(ErrorCode.LIMIT_REACHED, "An organization can have at most " + maximum + " domains.");
    }

    static ApiException domainTaken() {
        return ApiException.of(ErrorCode.NAME_TAKEN, "Another organization of the project has proven this domain.");
    }

    static ApiException notProven(TextRecord record) {
        return ApiException.of(
                ErrorCode.DOMAIN_NOT_PROVEN,
                "There is no TXT record at " + record.name() + " with this value. A change of the DNS can take hours to"
                        + " be seen everywhere.");
    }

    static ApiException dnsFailed() {
        return ApiException.of(
                ErrorCode.UNAVAILABLE, "The DNS does not answer. Try again in a moment.", Duration.ofSeconds(10));
    }

    static ApiException noSuchConnection() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The organization has no such connection.");
    }

    static ApiException tooManyConnections(int maximum) {
        return ApiException.of(
                ErrorCode.LIMIT_REACHED, "An organization can have at most " + maximum + " connections.");
    }

    /** Otherwise nobody with an email of the domain could sign in any more. */
    static ApiException connectionRequired() {
        return ApiException.of(
                ErrorCode.CONNECTION_REQUIRED,
                "A domain whose policy is sso_required needs an enabled connection of its organization.");
    }

    static ApiException foreignEmail() {
        return ApiException.of(
                ErrorCode.FOREIGN_EMAIL,
                "This connection signs in only people with an email of a domain that its organization has proven.");
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
