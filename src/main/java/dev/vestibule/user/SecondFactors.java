package dev.vestibule.user;

import dev.vestibule.project.PasskeyDomain;
import dev.vestibule.project.Project;
import java.util.List;

/**
 * What an account has in addition to its first factor, as its row stores it; {@link SecondFactorStore} writes it.
 *
 * @param kept {@code held} if the others were set up while the email was verified and it no longer is; {@code totp},
 *     and {@code passkey <domain>} for each domain of passkeys that have verified the person; sorted
 */
public record SecondFactors(List<String> kept) {
    private static final String HELD = "held";
    static final String TOTP = "totp";
    static final String PASSKEY_OF = "passkey ";

    public SecondFactors {
        kept = List.copyOf(kept);
    }

    public boolean isEmpty() {
        return kept.isEmpty();
    }

    public boolean hasTotp() {
        return kept.contains(TOTP);
    }

    /**
     * Whether management has changed the email since, or marked it as unverified: the factors count until somebody
     * removes them on purpose.
     */
    public boolean areHeld() {
        return kept.contains(HELD);
    }

    /** Passkeys of other domains are useless while the project is set to this domain. */
    boolean hasPasskey(Project project) {
        return !kept.isEmpty()
                && PasskeyDomain.of(project)
                        .filter(domain -> kept.contains(PASSKEY_OF + domain))
                        .isPresent();
    }

    public String[] toArray() {
        return kept.toArray(String[]::new);
    }
}
