package dev.vestibule.user.password;

import dev.vestibule.access.Floor;
import dev.vestibule.crypto.PasswordHasher;

/** Builds what hashes passwords and what decides on new ones. */
public final class PasswordModule {
    public final PasswordHasher hasher;
    public final NewPasswords newPasswords;

    public PasswordModule(Floor floor, CommonPasswords common) {
        var settings = floor.settings().passwords();
        this.hasher = new PasswordHasher(
                floor.workers(),
                new PasswordHasher.Cost(settings.memoryKibibytes(), settings.iterations(), settings.parallelism()));
        this.newPasswords = new NewPasswords(
                common,
                new BreachedPasswords(floor.vertx(), settings, floor.meters().passwords, floor.clock()),
                hasher);
    }
}
