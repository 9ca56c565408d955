package dev.vestibule.authentication.passkey;

import dev.vestibule.authentication.passkey.PasskeyChallengeStore.PendingSignIn;
import dev.vestibule.authentication.passkey.PasskeyChallengeStore.Registration;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What authenticators are asked to sign: 256 random bits, valid once and for five minutes, for one ceremony in one
 * project. The challenge of a registration is also bound to one user and session, and that of a sign in with an email
 * to the passkeys of its account. Only hashes are stored.
 */
final class PasskeyChallenges {
    static final Duration LIFETIME = Duration.ofMinutes(5);

    private static final int BYTES = 32;
    private final PasskeyChallengeStore store = new PasskeyChallengeStore();
    private final KeyedHash emailHash;
    private final Clock clock;

    PasskeyChallenges(KeyedHash emailHash, Clock clock) {
        this.emailHash = emailHash;
        this.clock = clock;
    }

    /** Without an email, the challenge is for all passkeys of the project. */
    Future<byte[]> forSignIn(SqlClient db, ProjectId project, @Nullable String email) {
        var challenge = RandomSecrets.bytes(BYTES);
        var of = email == null ? null : Buffer.buffer(emailHash.hash(message(project, email)));
        return store.insertSignIn(db, project, hash(challenge), of, expiry()).map(challenge);
    }

    Future<byte[]> forRegistration(
            SqlClient db, ProjectId project, UserId user, SessionId session, @Nullable String name) {
        var challenge = RandomSecrets.bytes(BYTES);
        return store.insertRegistration(db, project, hash(challenge), new Registration(user, session, name), expiry())
                .map(challenge);
    }

    private Instant expiry() {
        return clock.instant().plus(LIFETIME);
    }

    private static byte[] message(ProjectId project, String email) {
        return (project + " " + email).getBytes(StandardCharsets.UTF_8);
    }

    private static Buffer hash(byte[] challenge) {
        return Buffer.buffer(Sha256.of(challenge));
    }

    /** Uses up the challenge, whatever the outcome; empty if it is not, or no longer, a challenge of a sign in. */
    Future<Optional<PendingSignIn>> takeForSignIn(SqlClient db, ProjectId project, Buffer challenge) {
        return store.takeSignIn(db, project, hash(challenge.getBytes()), clock.instant());
    }

    /** Whether the sign in was begun with this account's email, or without one. */
    boolean isFor(PendingSignIn begun, User user) {
        var hash = begun.emailHash();
        return hash == null
                || (user.email() != null
                        && emailHash.matches(message(user.projectId(), user.email()), hash.getBytes()));
    }

    /** Like {@link #takeForSignIn}, for a registration of this user, in this session. */
    Future<Optional<Registration>> takeForRegistration(
            SqlClient db, ProjectId project, Buffer challenge, UserId user, SessionId session) {
        return store.takeRegistration(db, project, hash(challenge.getBytes()), user, session, clock.instant());
    }

    Future<Void> purge(Database database) {
        return PasskeyChallengeStore.EXPIRED.remove(database, clock.instant());
    }
}
