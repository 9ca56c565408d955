package dev.vestibule.user.organization.directory;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.project.OrganizationRoles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The fields of a directory that requests set. */
final class DirectoryFields {
    private static final int MAX_NAME = 100;
    private static final int MAX_GROUP_NAME = 255;
    private static final int MAX_GROUP_ROLES = 50;
    private static final int MAX_CHARACTERS = 16_384;

    private DirectoryFields() {}

    /** A new directory, which is enabled. */
    record New(String name, Map<String, String> groupRoles) {
        static New read(Fields fields, OrganizationRoles roles) {
            return new New(
                    fields.required("name", DirectoryFields::name),
                    Objects.requireNonNullElse(fields.optional("groupRoles", groupRolesOf(roles)), Map.of()));
        }
    }

    /** The change of each field. */
    record Changes(Change<String> name, Change<Boolean> enabled, Change<Map<String, String>> groupRoles) {
        static Changes read(Fields fields, OrganizationRoles roles) {
            return new Changes(
                    fields.replacement("name", DirectoryFields::name),
                    fields.replacement("enabled", FieldType.bool()),
                    fields.replacement("groupRoles", groupRolesOf(roles)));
        }
    }

    private static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    private static FieldType<Map<String, String>> groupRolesOf(OrganizationRoles roles) {
        return FieldType.object(MAX_CHARACTERS).then(given -> groupRoles(given, roles));
    }

    private static Map<String, String> groupRoles(Map<String, Object> given, OrganizationRoles roles) {
        if (given.size() > MAX_GROUP_ROLES) {
            throw new InvalidValueException("must have at most " + MAX_GROUP_ROLES + " groups");
        }
        var checked = new LinkedHashMap<String, String>();
        given.forEach((group, role) -> checked.put(groupName(group), role(role, roles)));
        return checked;
    }

    private static String groupName(String text) {
        try {
            return Text.line(text, MAX_GROUP_NAME);
        } catch (InvalidValueException invalid) {
            throw new InvalidValueException("must have names of groups that " + invalid.getMessage());
        }
    }

    /** A group that made owners would hand the organization to those who manage the identity provider's groups. */
    private static String role(Object given, OrganizationRoles roles) {
        if (!(given instanceof String text)) {
            throw new InvalidValueException("must have the name of a role for each group");
        }
        if (text.equals(OrganizationRoles.OWNER)) {
            throw new InvalidValueException("must not make owners");
        }
        try {
            return roles.named(text);
        } catch (InvalidValueException unknown) {
            throw new InvalidValueException("must have roles of the project for the groups");
        }
    }
}
