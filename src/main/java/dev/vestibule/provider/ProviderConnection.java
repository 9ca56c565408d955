package dev.vestibule.provider;

import dev.vestibule.project.ProjectId;
import java.util.List;
import java.util.Objects;

/** A provider as one project may talk to it: what the catalogue knows, what the project has set up, and the secret. */
public record ProviderConnection(
        ProjectId project, CatalogueEntry entry, ProviderSettings settings, String clientSecret) {

    public Provider provider() {
        return entry.provider();
    }

    public List<String> scopes() {
        return Objects.requireNonNullElse(settings.scopes(), entry.scopes());
    }

    /** Without the secret, so that it never reaches a log. */
    @Override
    public String toString() {
        return "ProviderConnection[" + project + " " + provider() + "]";
    }
}
