package dev.vestibule.oauth.provider;

import dev.vestibule.oauth.catalogue.CatalogueEntry;
import dev.vestibule.oauth.catalogue.CatalogueSetting;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A provider as one project may talk to it: what the catalogue knows, what the project has set up, and the secret. */
public record ProviderConnection(
        ProjectId project, CatalogueEntry entry, ProviderSettings settings, String clientSecret) {
    private static final String OPENID = "openid";

    public Provider provider() {
        return settings.provider();
    }

    /** What to ask the provider for; never without {@code openid} where that is what an ID token is given for. */
    public List<String> scopes() {
        var own = settings.scopes();
        if (own == null || own.contains(OPENID) || !entry.scopes().contains(OPENID)) {
            return Objects.requireNonNullElse(own, entry.scopes());
        }
        return Stream.concat(Stream.of(OPENID), own.stream()).toList();
    }

    /** The project's own, else the default; empty where the catalogue asks for it and the project has never said it. */
    public Optional<String> setting(CatalogueSetting setting) {
        var own = switch (setting) {
            case ISSUER -> settings.issuer();
            case TENANT -> settings.tenant();
            case TEAM_ID -> settings.teamId();
            case KEY_ID -> settings.keyId();
        };
        return Optional.ofNullable(own).or(() -> entry.settings().getOrDefault(setting, Optional.empty()));
    }

    /** Without the secret, so that it never reaches a log. */
    @Override
    public String toString() {
        return "ProviderConnection[" + project + " " + provider() + "]";
    }
}
