package dev.vestibule.authentication.passkey;

import dev.vestibule.authentication.passkey.PasskeyChallengeStore.Registration;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What authenticators are asked to sign: 256 random bits, good once and for five minutes, for one ceremony in one project;
 * of a registration also for one user and session. Only hashes are kept.
 */
final class PasskeyChallenges {
    static final Duration LIFETIME = Duration.ofMinutes(5);

    private static final int BYTES = 32;
    private static final int BATCH = 1000;

    private final PasskeyChallengeStore store = new PasskeyChallengeStore();
    private final Clock clock;

    PasskeyChallenges(Clock clock) {
        this.clock = clock;
    }

    Future<byte[]> forSignIn(SqlClient db, ProjectId project) {
        return insert(db, project, null);
    }

    Future<byte[]> forRegistration(
            SqlClient db, ProjectId project, UserId user, SessionId session, @Nullable String name) {
        return insert(db, project, new Registration(user, session, name));
    }

    private Future<byte[]> insert(SqlClient db, ProjectId project, @Nullable Registration registration) {
        var challenge = RandomSecrets.bytes(BYTES);
        return store.insert(
                        db,
                        project,
                        hash(challenge),
                        registration,
                        clock.instant().plus(LIFETIME))
                .map(challenge);
    }

    private static Buffer hash(byte[] challenge) {
        return Buffer.buffer(Sha256.of(challenge));
    }

    /** Uses it up, whatever comes of it; false where it is no challenge of a sign in, or not any more. */
    Future<Boolean> takeForSignIn(SqlClient db, ProjectId project, Buffer challenge) {
        return store.takeSignIn(db, project, hash(challenge.getBytes()), clock.instant());
    }

    /** The same for a registration of this user, in this session. */
    Future<Optional<Registration>> takeForRegistration(
            SqlClient db, ProjectId project, Buffer challenge, UserId user, SessionId session) {
        return store.takeRegistration(db, project, hash(challenge.getBytes()), user, session, clock.instant());
    }

    Future<Void> purge(Database database) {
        return Batches.repeat(
                () -> store.purge(database.writes(), clock.instant(), BATCH).map(removed -> removed == BATCH));
    }
}
