package dev.vestibule.management;

import dev.vestibule.config.Secret;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.NewUser;
import io.vertx.core.Future;
import java.time.Clock;

/** The dashboard user that an operator gives in the configuration; made where there is none with that email. */
public final class ConfiguredAccount {
    private final Database database;
    private final UserStore users;
    private final PasswordHasher hasher;
    private final Clock clock;

    public ConfiguredAccount(Database database, UserStore users, PasswordHasher hasher, Clock clock) {
        this.database = database;
        this.users = users;
        this.hasher = hasher;
        this.clock = clock;
    }

    /** An account that is there already keeps its password. */
    public Future<Void> ensure(String givenEmail, Secret password) {
        var email = UserFields.email(givenEmail);
        return users.emailIsTaken(database.reads(), ProjectId.SYSTEM, email)
                .compose(taken -> taken
                        ? Future.succeededFuture()
                        : hasher.hash(UserFields.newPasswordOf(email).read(password.reveal()))
                                .compose(hash -> users.insert(
                                        database.writes(),
                                        ProjectId.SYSTEM,
                                        new NewUser(UserId.next(), email, null, hash, clock.instant())))
                                .mapEmpty());
    }
}
