package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import org.jspecify.annotations.Nullable;

/**
 * What the users of a project can do with organizations.
 *
 * @param maxPerUser how many a user can create
 * @param invitationUrl the page that receives the token of an invitation; null for the callback URL
 * @param maxMembers how many members users can give an organization; management can give it more
 */
public record OrganizationSettings(
        @ProjectSetting(column = "organization_creation", field = "organizations.creation")
        OrganizationCreation creation,

        @ProjectSetting(
                column = "organizations_per_user",
                field = "organizations.maxPerUser",
                min = 1,
                max = 1000,
                harmless = true)
        int maxPerUser,

        @ProjectSetting(
                column = "organization_max_members",
                field = "organizations.maxMembers",
                min = 1,
                max = OrganizationSettings.MOST_MEMBERS,
                harmless = true)
        int maxMembers,

        @ProjectSetting(
                column = "organization_invitation_url",
                field = "organizations.invitationUrl",
                rule = TextRule.WEB_URL)
        @Nullable
        String invitationUrl,

        @ProjectSetting(column = "organization_roles", field = "organizationRoles")
        OrganizationRoles roles) {
    /** The most members that an organization can have at all. */
    public static final int MOST_MEMBERS = 1_000_000;

    /** Those who can create organizations. */
    public enum OrganizationCreation {
        /** Users, up to a number, and management. */
        USERS("users"),
        MANAGEMENT("management");

        private final String text;

        OrganizationCreation(String text) {
            this.text = text;
        }

        @JsonValue
        public String text() {
            return text;
        }

        static OrganizationCreation of(String text) {
            return switch (text) {
                case "users" -> USERS;
                case "management" -> MANAGEMENT;
                default -> throw new InvalidValueException("must be users or management");
            };
        }
    }
}
