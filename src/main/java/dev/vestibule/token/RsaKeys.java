package dev.vestibule.token;

import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The RSA keys of the projects that need one: the first is made when a token is signed with it, and a next one when the
 * newest is too old. A hashing thread makes it, since that takes long.
 */
final class RsaKeys {
    private final Database database;
    private final ProjectChanges changes;
    private final KeySets keySets;
    private final SigningKeyStore store;
    private final HashingPool workers;
    private final Clock clock;
    private final Duration age;

    RsaKeys(
            Database database,
            ProjectChanges changes,
            KeySets keySets,
            SigningKeyStore store,
            HashingPool workers,
            Clock clock,
            Duration age) {
        this.database = database;
        this.changes = changes;
        this.keySets = keySets;
        this.store = store;
        this.workers = workers;
        this.clock = clock;
        this.age = age;
    }

    /** The key that signs now. */
    Future<SigningKey> signer(ProjectId project) {
        return keySets.find(database.reads(), project).compose(found -> {
            var keys = found.orElseThrow(RsaKeys::deleted);
            var now = clock.instant();
            var key = keys.signingKey(SigningKey.RSA_ALGORITHM, now);
            if (key.isEmpty()) {
                return add(project, Instant.EPOCH).compose(added -> signer(project));
            }
            if (!age.isZero() && keys.newestRsa().isBefore(now.minus(age))) {
                add(project, now.minus(age)); // published first, and not waited for
            }
            return Future.succeededFuture(key.get());
        });
    }

    /** Publishes a next key, if the project has one. */
    Future<Void> rotate(ProjectId project) {
        return store.newestRsa(database.writes(), project)
                .compose(newest -> newest == null || KeySet.signsFrom(newest).isAfter(clock.instant())
                        ? Future.succeededFuture()
                        : add(project, newest));
    }

    /** Adds a key unless another request or node has added one since. */
    private Future<Void> add(ProjectId project, Instant unlessNewerThan) {
        return workers.run(project.value(), JobLength.LONG, () -> SigningKey.generateRsa(clock.instant()))
                .compose(key -> changes.inTransaction(
                        project,
                        transaction -> store.lock(transaction, project).compose(locked -> {
                            if (!locked) {
                                throw deleted();
                            }
                            return store.newestRsa(transaction, project)
                                    .compose(newest -> newest == null || !newest.isAfter(unlessNewerThan)
                                            ? store.add(transaction, project, key)
                                                    .<Void>mapEmpty()
                                            : Future.<Void>succeededFuture());
                        })));
    }

    private static ApiException deleted() {
        return ApiException.of(ErrorCode.PROJECT_DELETED, "The project was deleted.");
    }
}
