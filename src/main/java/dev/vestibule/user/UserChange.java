package dev.vestibule.user;

import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.WebUrl;
import dev.vestibule.project.Project;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The change of each field of a user; the password is already hashed. */
public record UserChange(
        Change<String> displayName,
        Change<String> avatarUrl,
        Change<String> phone,
        Change<String> email,
        Change<Boolean> emailVerified,
        Change<Map<String, Object>> publicMetadata,
        Change<String> externalId,
        Change<Map<String, Object>> privateMetadata,
        Change<String> passwordHash) {

    /** Changes nothing. */
    public static UserChange none() {
        return new UserChange(
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep());
    }

    /** The fields that users may change themselves. */
    public static UserChange forProfile(Fields fields, Project project) {
        return new UserChange(
                displayName(fields),
                avatarUrl(fields),
                phone(fields, project),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep());
    }

    /** The fields that the application may change, apart from the password. */
    public static UserChange forManagement(Fields fields, Project project) {
        return new UserChange(
                displayName(fields),
                avatarUrl(fields),
                phone(fields, project),
                fields.replacement("email", UserFields::email),
                fields.replacement("emailVerified", FieldType.bool()),
                fields.change("publicMetadata", UserFields.metadata()),
                fields.change("externalId", UserFields::externalId),
                fields.change("privateMetadata", UserFields.metadata()),
                Change.keep());
    }

    private static Change<String> displayName(Fields fields) {
        return fields.change("displayName", UserFields::displayName);
    }

    private static Change<String> phone(Fields fields, Project project) {
        return fields.change("phone", UserFields.phone(project.defaultCountry()));
    }

    private static Change<String> avatarUrl(Fields fields) {
        return fields.change("avatarUrl", WebUrl::absolute);
    }

    public UserChange withDisplayName(String name) {
        return with(Change.to(name), email, emailVerified, passwordHash);
    }

    public UserChange withPasswordHash(String hash) {
        return with(displayName, email, emailVerified, Change.to(hash));
    }

    /** Removes the password: no password signs in to the account afterwards. */
    public UserChange withoutPassword() {
        return with(displayName, email, emailVerified, Change.to((String) null));
    }

    /** Sets the email, or removes it. */
    public UserChange withEmail(@Nullable String address, boolean isVerified) {
        return with(displayName, Change.to(address), Change.to(isVerified), passwordHash);
    }

    public UserChange withEmailVerified() {
        return with(displayName, email, Change.to(true), passwordHash);
    }

    private UserChange with(
            Change<String> newDisplayName,
            Change<String> newEmail,
            Change<Boolean> newEmailVerified,
            Change<String> newPasswordHash) {
        return new UserChange(
                newDisplayName,
                avatarUrl,
                phone,
                newEmail,
                newEmailVerified,
                publicMetadata,
                externalId,
                privateMetadata,
                newPasswordHash);
    }

    /** The names of the changed fields, never their values. */
    public List<String> names() {
        var changes = new LinkedHashMap<String, Change<?>>();
        changes.put("displayName", displayName);
        changes.put("avatarUrl", avatarUrl);
        changes.put("phone", phone);
        changes.put("email", email);
        changes.put("emailVerified", emailVerified);
        changes.put("publicMetadata", publicMetadata);
        changes.put("externalId", externalId);
        changes.put("privateMetadata", privateMetadata);
        changes.put("password", passwordHash);
        return changes.entrySet().stream()
                .filter(change -> change.getValue().isMade())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether it changes anything at all. */
    public boolean isMade() {
        return !names().isEmpty();
    }

    /** Redacted, so that no hash and no personal data reach a log. */
    @Override
    public String toString() {
        return "UserChange";
    }
}
