package dev.vestibule.oauth.provider;

import dev.vestibule.oauth.catalogue.CatalogueEntry;
import dev.vestibule.oauth.catalogue.CatalogueSetting;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is needed to talk to a provider for a project: catalogue entry, settings and client secret.
 *
 * @param organization whose own provider it is; null for one that the project offers to everybody
 */
public record ProviderConnection(
        ProjectId project,
        CatalogueEntry entry,
        ProviderSettings settings,
        String clientSecret,
        @Nullable UUID organization) {
    private static final String OPENID = "openid";

    public Provider provider() {
        return settings.provider();
    }

    /** The name that people know the provider by; what an organization calls its own is for its members alone. */
    public String title() {
        return organization == null ? settings.title() : provider().title();
    }

    /** The issuer of the identities' subjects: the issuer of ID tokens, or the provider's own name if it has none. */
    public String issuer() {
        var issuer = entry.issuer();
        return issuer == null ? provider().name() : issuer.resolve(this::setting);
    }

    /** The scopes to request; {@code openid} is always added if the provider needs it to issue an ID token. */
    public List<String> scopes() {
        var own = settings.scopes();
        if (own == null || own.contains(OPENID) || !entry.scopes().contains(OPENID)) {
            return Objects.requireNonNullElse(own, entry.scopes());
        }
        return Stream.concat(Stream.of(OPENID), own.stream()).toList();
    }

    /** The project's own value, else the catalogue's default; empty if the setting is required but was never set. */
    public Optional<String> setting(CatalogueSetting setting) {
        var own = switch (setting) {
            case ISSUER -> settings.issuer();
            case TENANT -> settings.tenant();
            case TEAM_ID -> settings.teamId();
            case KEY_ID -> settings.keyId();
        };
        return Optional.ofNullable(own).or(() -> entry.defaultOf(setting));
    }

    /** Leaves out the secret, so that it never reaches a log. */
    @Override
    public String toString() {
        return "ProviderConnection[" + project + " " + provider() + "]";
    }
}
