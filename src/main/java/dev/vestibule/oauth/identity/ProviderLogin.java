package dev.vestibule.oauth.identity;

import dev.vestibule.oauth.client.ProviderIdentity;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A user whom a provider has authenticated, and the device that they use.
 *
 * @param title what people know the provider by
 * @param connectedBy the organization whose own provider it is; null for one that the project offers to everybody
 */
public record ProviderLogin(
        Project project,
        ProviderIdentity identity,
        String title,
        boolean storesTokens,
        Device device,
        @Nullable UUID connectedBy) {
    @Override
    public String toString() {
        return "ProviderLogin[" + project.id() + "]";
    }
}
