package dev.vestibule.oauth.identity;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Seals the tokens that providers issued for users, for projects that store them. */
public final class SealedTokens {
    private final Sealer sealer;

    public SealedTokens(Sealer sealer) {
        this.sealer = sealer;
    }

    public Buffer seal(ProjectId project, Provider provider, String subject, Buffer tokens) {
        return Buffer.buffer(sealer.seal(tokens.getBytes(), context(project, provider.name(), subject)));
    }

    public Buffer open(ProjectId project, Provider provider, String subject, Buffer sealed) {
        return Buffer.buffer(sealer.open(sealed.getBytes(), context(project, provider.name(), subject)));
    }

    /** Binds sealed tokens to their project, provider and user: they cannot be opened for another one. */
    private static byte[] context(ProjectId project, String provider, String subject) {
        return ("provider tokens " + project + " " + provider + " " + subject).getBytes(StandardCharsets.UTF_8);
    }

    public SealedSecrets sealedSecrets() {
        return new SealedSecrets(
                "identities at providers",
                IdentityStore.SEALED,
                false,
                sealer,
                (project, key) -> context(project, key.getString(0), key.getString(2)));
    }
}
