package dev.vestibule.oauth.identity;

import dev.vestibule.oauth.client.ProviderIdentity;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;

/** A user whom a provider has authenticated, and the device that they use. */
public record ProviderLogin(Project project, ProviderIdentity identity, boolean storesTokens, Device device) {
    @Override
    public String toString() {
        return "ProviderLogin[" + project.id() + "]";
    }
}
