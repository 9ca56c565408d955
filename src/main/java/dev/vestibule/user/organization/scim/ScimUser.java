package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.user.UserFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user as a directory describes them.
 *
 * @param displayName for the account; null if the directory gives no name
 * @param email for the account: the primary one, or the one for work, or the first, or else the user name
 * @param emails all, in lower case
 * @param active null if the directory does not say
 * @param attributes all other attributes
 */
record ScimUser(
        String userName,
        @Nullable String externalId,
        @Nullable String displayName,
        String email,
        List<String> emails,
        @Nullable Boolean active,
        ObjectNode attributes) {
    static final int MAX_VALUES = 100;

    /** The attributes that filters can name, of those that are only kept. */
    static final List<String> TEXTS =
            List.of("displayName", "title", "name.formatted", "name.familyName", "name.givenName");

    private static final int MAX_CHARACTERS = 16_384;
    private static final int MAX_DISPLAY_NAME = 100;

    /** What the server decides, what has a column of its own, and a password, which it does not take. */
    private static final Set<String> NO_ATTRIBUTES =
            Set.of("schemas", "id", "meta", "groups", "password", "userName", "externalId", "active");

    /** Reads a whole resource, whose names are not case sensitive. */
    static ScimUser read(ObjectNode resource) {
        correct(resource);
        var userName = ScimJson.text(resource, "userName", ScimJson::line);
        if (userName == null) {
            throw ScimErrors.invalidValue("userName is required");
        }
        var emails = emails(resource);
        var attributes = resource.deepCopy();
        NO_ATTRIBUTES.forEach(attributes::remove);
        requireStorable(attributes);
        return new ScimUser(
                userName,
                ScimJson.text(resource, "externalId", ScimJson::line),
                displayName(resource),
                email(resource.path("emails"), userName),
                emails,
                active(resource.path("active")),
                attributes);
    }

    /** Makes of what Entra ID sends what the schema says. */
    private static void correct(ObjectNode resource) {
        if (resource.path(ScimJson.ENTERPRISE) instanceof ObjectNode extension) {
            var manager = extension.path("manager");
            if (manager.isTextual() && manager.textValue().isEmpty()) {
                extension.remove("manager");
            } else if (manager.isTextual()) {
                extension.set("manager", ScimJson.object().set("value", manager));
            }
            if (extension.isEmpty()) {
                resource.remove(ScimJson.ENTERPRISE);
            }
        }
        for (var field : resource.properties()) {
            if (field.getValue().isArray()) {
                if (field.getValue().size() > MAX_VALUES) {
                    throw ScimErrors.tooManyValues(MAX_VALUES);
                }
                field.getValue().forEach(ScimUser::correctPrimary);
            }
        }
    }

    private static void correctPrimary(JsonNode value) {
        if (value instanceof ObjectNode object && object.path("primary").isTextual()) {
            var flag = ScimJson.flag(object.path("primary"));
            if (flag != null) {
                object.put("primary", flag);
            }
        }
    }

    private static List<String> emails(ObjectNode resource) {
        var given = resource.path("emails");
        if (given.isMissingNode() || given.isNull()) {
            return List.of();
        }
        if (!given.isArray()) {
            throw ScimErrors.invalidValue("emails must be a list");
        }
        var emails = new ArrayList<String>();
        for (var one : given) {
            if (!(one instanceof ObjectNode object)) {
                throw ScimErrors.invalidValue("emails must be a list of objects");
            }
            var text = ScimJson.text(object, "value", ScimJson::line);
            if (text != null) {
                emails.add(UnicodeText.lower(text));
            }
        }
        return List.copyOf(emails);
    }

    private static String email(JsonNode emails, String userName) {
        var chosen = userName;
        var best = 0;
        for (var one : emails) {
            var value = one.path("value");
            var worth = one.path("primary").asBoolean()
                    ? 3
                    : one.path("type").asText().equals("work") ? 2 : 1;
            if (value.isTextual() && !value.textValue().isEmpty() && worth > best) {
                chosen = value.textValue();
                best = worth;
            }
        }
        try {
            return UserFields.email(chosen);
        } catch (InvalidValueException invalid) {
            throw ScimErrors.invalidValue(
                    best == 0
                            ? "emails must have an email address, or userName be one"
                            : "emails must have email addresses: the one for the account " + invalid.getMessage());
        }
    }

    private static @Nullable String displayName(ObjectNode resource) {
        var given = ScimJson.text(resource, "displayName", Text::printable);
        var name = resource.path("name") instanceof ObjectNode parts ? parts : ScimJson.object();
        var formatted = given == null ? ScimJson.text(name, "formatted", Text::printable) : given;
        if (formatted == null) {
            var first = ScimJson.text(name, "givenName", Text::printable);
            var last = ScimJson.text(name, "familyName", Text::printable);
            formatted = ((first == null ? "" : first) + " " + (last == null ? "" : last));
        }
        var stripped = formatted.strip();
        if (stripped.isEmpty()) {
            return null;
        }
        return stripped.codePointCount(0, stripped.length()) <= MAX_DISPLAY_NAME
                ? stripped
                : stripped.substring(0, stripped.offsetByCodePoints(0, MAX_DISPLAY_NAME))
                        .strip();
    }

    private static @Nullable Boolean active(JsonNode given) {
        if (given.isMissingNode() || given.isNull()) {
            return null;
        }
        var flag = ScimJson.flag(given);
        if (flag == null) {
            throw ScimErrors.invalidValue("active must be true or false");
        }
        return flag;
    }

    private static void requireStorable(ObjectNode attributes) {
        var wrapped = JsonNodeFactory.instance.objectNode();
        wrapped.set("user", attributes);
        Fields.read(wrapped, fields -> fields.required("user", FieldType.object(MAX_CHARACTERS)));
    }

    /** What filters can name of the attributes, each text by its path, in lower case. */
    Map<String, String> texts() {
        var texts = new HashMap<String, String>();
        for (var path : TEXTS) {
            var text = attributes.at("/" + path.replace('.', '/')).asText("");
            if (!text.isEmpty()) {
                texts.put(
                        path,
                        text.length() > UnicodeText.MAX_LENGTH
                                ? UnicodeText.lowerAscii(text)
                                : UnicodeText.lower(text));
            }
        }
        return texts;
    }

    String userNameKey() {
        return UnicodeText.lower(userName);
    }
}
