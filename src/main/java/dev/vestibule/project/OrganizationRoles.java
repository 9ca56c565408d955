package dev.vestibule.project;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The roles that members of a project's organizations can have, with their permissions: {@code owner}, who has all,
 * {@code admin}, {@code member} and those that the project declares. A declaration of admin or member replaces its
 * permissions.
 *
 * @param declared the permissions by role, both sorted by name
 */
public record OrganizationRoles(Map<String, List<String>> declared) {
    public static final String OWNER = "owner";
    public static final String ADMIN = "admin";
    public static final String MEMBER = "member";

    /** To change the organization's name, logo, metadata and limit. */
    public static final String UPDATE = "org.update";

    public static final String DELETE = "org.delete";
    public static final String READ_MEMBERS = "org.members.read";

    /** To add, invite and remove members, and to change their roles. */
    public static final String MANAGE_MEMBERS = "org.members.manage";

    /** To add, prove and remove domains, and to say what they do. */
    public static final String MANAGE_DOMAINS = "org.domains.manage";

    /** To set up the organization's own identity providers, which then sign in everybody of its domains. */
    public static final String MANAGE_CONNECTIONS = "org.connections.manage";

    /** To connect directories, which provision members. */
    public static final String MANAGE_DIRECTORIES = "org.directories.manage";

    /** To make, list and delete API keys of the organization. */
    public static final String MANAGE_KEYS = "org.keys.manage";

    private static final Set<String> OWN = Set.of(
            UPDATE,
            DELETE,
            READ_MEMBERS,
            MANAGE_MEMBERS,
            MANAGE_DOMAINS,
            MANAGE_CONNECTIONS,
            MANAGE_DIRECTORIES,
            MANAGE_KEYS);
    private static final String OWN_PREFIX = "org.";
    private static final Map<String, List<String>> BUILT_IN = Map.of(
            ADMIN,
            List.of(
                    MANAGE_CONNECTIONS,
                    MANAGE_DIRECTORIES,
                    MANAGE_DOMAINS,
                    MANAGE_KEYS,
                    MANAGE_MEMBERS,
                    READ_MEMBERS,
                    UPDATE),
            MEMBER,
            List.of(READ_MEMBERS));

    private static final int MAX_CHARACTERS = 16_384;
    private static final int MAX_ROLES = 50;
    private static final int MAX_PERMISSIONS = 100;
    private static final Pattern ROLE = Pattern.compile("[a-z][a-z0-9_-]{0,49}");
    private static final Pattern PERMISSION = Pattern.compile("[a-z][a-z0-9_.:-]{0,99}");

    /** The field of a request: an object with a list of permissions for each role. */
    static FieldType<OrganizationRoles> field() {
        return FieldType.object(MAX_CHARACTERS).then(OrganizationRoles::checked);
    }

    private static OrganizationRoles checked(Map<String, Object> given) {
        if (given.size() > MAX_ROLES) {
            throw new InvalidValueException("must have at most " + MAX_ROLES + " roles");
        }
        var declared = new LinkedHashMap<String, List<String>>();
        new TreeMap<>(given).forEach((role, permissions) -> {
            if (role.equals(OWNER) || !ROLE.matcher(role).matches()) {
                throw new InvalidValueException("must name roles in up to 50 of a-z, 0-9, - and _, other than owner");
            }
            declared.put(role, permissions(role, permissions));
        });
        return new OrganizationRoles(declared);
    }

    private static List<String> permissions(String role, Object given) {
        if (!(given instanceof List<?> list) || list.size() > MAX_PERMISSIONS) {
            throw new InvalidValueException(
                    "must have a list of at most " + MAX_PERMISSIONS + " permissions for " + role);
        }
        return list.stream()
                .map(item -> permission(role, item))
                .distinct()
                .sorted()
                .toList();
    }

    private static String permission(String role, Object given) {
        if (!(given instanceof String text) || !PERMISSION.matcher(text).matches()) {
            throw new InvalidValueException(
                    "must name the permissions of " + role + " in up to 100 of a-z, 0-9, and . : - _");
        }
        if (text.startsWith(OWN_PREFIX) && !OWN.contains(text)) {
            throw new InvalidValueException("must not have permissions of " + role + " that begin with org. except "
                    + String.join(", ", new TreeSet<>(OWN)));
        }
        return text;
    }

    /** Reads the form that {@link #toStore} returns. */
    static OrganizationRoles stored(JsonObject stored) {
        var declared = new LinkedHashMap<String, List<String>>();
        stored.fieldNames().stream()
                .sorted()
                .forEach(role -> declared.put(
                        role,
                        stored.getJsonArray(role).stream().map(String::valueOf).toList()));
        return new OrganizationRoles(declared);
    }

    JsonObject toStore() {
        var stored = new JsonObject();
        declared.forEach((role, permissions) -> stored.put(role, new JsonArray(permissions)));
        return stored;
    }

    /** A field rule: the name of a role that members can have now. */
    public String named(String text) {
        if (!text.equals(OWNER) && !BUILT_IN.containsKey(text) && !declared.containsKey(text)) {
            throw new InvalidValueException("must be one of "
                    + Stream.concat(Stream.of(OWNER, ADMIN, MEMBER), declared.keySet().stream())
                            .distinct()
                            .collect(Collectors.joining(", ")));
        }
        return text;
    }

    /** Sorted; empty for a role that the project no longer has. */
    public Collection<String> permissionsOf(String role) {
        if (role.equals(OWNER)) {
            var all = new TreeSet<>(OWN);
            declared.values().forEach(all::addAll);
            return all;
        }
        return declared.getOrDefault(role, BUILT_IN.getOrDefault(role, List.of()));
    }

    /**
     * Whether a member of the first role can give the second one, or take it away. Only owners can make owners, and
     * nobody can give more than they have.
     */
    public boolean canGive(String ofGiver, String given) {
        return ofGiver.equals(OWNER)
                || (!given.equals(OWNER) && permissionsOf(ofGiver).containsAll(permissionsOf(given)));
    }
}
