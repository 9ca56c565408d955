package dev.vestibule.user.key;

import dev.vestibule.journal.Target;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The owner of an API key: a user or an organization, so one of them is null. */
record KeyOwner(@Nullable UserId user, @Nullable OrganizationId organization) {
    static KeyOwner of(UserId user) {
        return new KeyOwner(user, null);
    }

    static KeyOwner of(OrganizationId organization) {
        return new KeyOwner(null, organization);
    }

    @Nullable
    UUID userId() {
        return user == null ? null : user.value();
    }

    @Nullable
    UUID organizationId() {
        return organization == null ? null : organization.value();
    }

    UUID id() {
        return Objects.requireNonNull(user == null ? organizationId() : userId());
    }

    Target target() {
        return user == null ? Target.organization(id()) : Target.user(id());
    }

    /** The word for it in messages. */
    String noun() {
        return user == null ? "organization" : "user";
    }
}
