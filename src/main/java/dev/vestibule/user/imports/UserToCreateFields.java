package dev.vestibule.user.imports;

import dev.vestibule.crypto.foreign.ForeignHashes;
import dev.vestibule.crypto.foreign.HashCeilings;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.json.Uuids;
import dev.vestibule.json.WebUrl;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.project.Project;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import dev.vestibule.user.imports.UserToCreate.Identity;
import dev.vestibule.user.imports.UserToCreate.Password;
import dev.vestibule.user.imports.UserToCreate.Past;
import dev.vestibule.user.password.NewPasswords;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a new account from the fields of a body, or of a line of an import. */
public final class UserToCreateFields {
    private static final int MAX_IDENTITIES = 20;
    private static final int MAX_ISSUER = 2048;
    private static final int MAX_SUBJECT = 255; // OpenID Connect Core, 2

    private static final UUID NIL = new UUID(0, 0);

    private final Catalogue catalogue;
    private final HashCeilings ceilings;
    private final NewPasswords passwords;

    public UserToCreateFields(Catalogue catalogue, HashCeilings ceilings, NewPasswords passwords) {
        this.catalogue = catalogue;
        this.ceilings = ceilings;
        this.passwords = passwords;
    }

    /** How the user is expected to sign in: with {@code email}, or with a provider. */
    public String signInMethod(String name) {
        return name.equals("email") ? name : catalogue.provider(name).name();
    }

    public UserToCreate read(Fields fields, Project project, Instant now) {
        var id = fields.optional("id", UserToCreateFields::id);
        var email = fields.optional("email", UserFields::email);
        var displayName = fields.optional("displayName", UserFields::displayName);
        var phone = fields.optional("phone", UserFields.phone(project.defaultCountry()));
        var createdAt = pastMoment(fields, "createdAt", now);
        var avatarUrl = fields.optional("avatarUrl", WebUrl::absolute);
        var identities = identities(fields);
        var isKnownByPhone = fields.isGiven("phone") && fields.isGiven("externalId");
        if (identities.isEmpty() && !fields.isGiven("email") && !fields.isGiven("id") && !isKnownByPhone) {
            fields.reject("email", "is required, or identities, an id, or a phone with an externalId");
        }
        return new UserToCreate(
                id == null ? newId(createdAt) : id,
                email,
                displayName,
                avatarUrl,
                phone,
                isTrue(fields, "emailVerified") && email != null,
                isTrue(fields, "phoneVerified") && phone != null,
                isTrue(fields, "isBanned"),
                fields.optional("publicMetadata", UserFields.metadata()),
                fields.optional("externalId", UserFields::externalId),
                fields.optional("privateMetadata", UserFields.metadata()),
                password(fields, email, displayName, project.name()),
                past(fields, createdAt, now),
                identities,
                fields.isGiven("id"));
    }

    private static UserId newId(@Nullable Instant createdAt) {
        return createdAt == null ? UserId.next() : UserId.at(createdAt);
    }

    private static UserId id(String text) {
        return Uuids.parse(text)
                .filter(id -> !id.equals(NIL)) // it means no id (RFC 9562, 5.9)
                .map(UserId::new)
                .orElseThrow(() -> new InvalidValueException("must be a UUID, and not all zeros"));
    }

    private static Past past(Fields fields, @Nullable Instant createdAt, Instant now) {
        var updatedAt = pastMoment(fields, "updatedAt", now);
        var signInCount = fields.optional("signInCount", FieldType.integer(0, Integer.MAX_VALUE));
        var created = Objects.requireNonNullElse(createdAt, now);
        var updated = Objects.requireNonNullElse(updatedAt, now);
        return new Past(
                created,
                updated.isBefore(created)
                        ? created
                        : updated, // clocks of other systems differ, which is no reason to lose a user
                pastMoment(fields, "lastSignInAt", now),
                Objects.requireNonNullElse(signInCount, 0));
    }

    private static @Nullable Instant pastMoment(Fields fields, String name, Instant now) {
        var moment = fields.optional(name, FieldType.moment());
        if (moment != null && moment.isAfter(now)) {
            fields.reject(name, "must not be in the future");
            return null;
        }
        return moment;
    }

    private static boolean isTrue(Fields fields, String name) {
        return Boolean.TRUE.equals(fields.optional(name, FieldType.bool()));
    }

    private Password password(Fields fields, @Nullable String email, @Nullable String displayName, String projectName) {
        var plain = fields.optional("password", passwords.rule(email, displayName, projectName));
        var hash = fields.optional("passwordHash", text -> ForeignHashes.check(text, ceilings));
        if (plain != null && hash != null) {
            fields.reject("passwordHash", "must not come with a password");
        }
        return new Password(plain, hash);
    }

    private List<Identity> identities(Fields fields) {
        var identities = fields.objects("identities", MAX_IDENTITIES, this::identity);
        if (identities.stream().map(Identity::provider).distinct().count() < identities.size()) {
            fields.reject("identities", "must name each provider at most once");
        }
        return identities;
    }

    private Identity identity(Fields item) {
        var provider = item.required("provider", catalogue::provider);
        var given = item.optional("issuer", UserToCreateFields::issuer);
        var subject = item.required("subject", UserToCreateFields::subject);
        item.optional("email", UserFields::email); // other systems store it; here the provider sends it at each sign in
        var known = provider == null ? Optional.<String>empty() : catalogue.issuer(provider);
        if (given != null && known.isPresent() && !known.get().equals(given)) {
            item.reject("issuer", "is only for providers whose issuer each project sets");
        }
        return new Identity(provider, known.orElse(given), subject);
    }

    /** Exactly as ID tokens write it: nothing is stripped. */
    private static String issuer(String text) {
        if (!text.matches("https://\\S+") || text.length() > MAX_ISSUER) {
            throw new InvalidValueException("must be an https URL of at most " + MAX_ISSUER + " characters");
        }
        return Text.printable(text);
    }

    /** Exactly as the provider writes it: nothing is stripped. */
    private static String subject(String text) {
        if (text.isEmpty() || text.length() > MAX_SUBJECT) {
            throw new InvalidValueException("must have 1 to " + MAX_SUBJECT + " characters");
        }
        return Text.printable(text);
    }
}
