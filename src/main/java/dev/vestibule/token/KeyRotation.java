package dev.vestibule.token;

import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Gives each project a new signing key when its newest one is too old, retires those that no valid token needs, and
 * removes them when no browser is signed in any more that has an ID token of theirs.
 */
public final class KeyRotation {
    /** The longest lifetime of an access token that a project can set. */
    public static final Duration MAX_ACCESS_TOKEN_TTL = Duration.ofDays(1);

    /** The longest that a person stays signed in at a browser. */
    private static final Duration RETIRED = Duration.ofDays(30);

    private static final int BATCH = 100;
    private static final Instant NEVER = Instant.EPOCH;

    private final Database database;
    private final SigningKeyStore store;
    private final Clock clock;
    private final Duration age;

    /** An age of zero turns rotation off: then only projects without any key get one. */
    public KeyRotation(Database database, SigningKeyStore store, Clock clock, Duration age) {
        this.database = database;
        this.store = store;
        this.clock = clock;
        this.age = age;
    }

    /** One round over all projects; rounds of several nodes at once do no harm. */
    public Future<Void> run() {
        var now = clock.instant();
        var newestBefore = age.isZero() ? NEVER : now.minus(age);
        var unneededBefore = now.minus(KeySet.PUBLISHED_BEFORE_SIGNING).minus(MAX_ACCESS_TOKEN_TTL);
        return addWhereNeeded(newestBefore, now)
                .compose(added -> store.retireSucceeded(database.writes(), unneededBefore))
                .compose(retired -> store.deleteSucceeded(database.writes(), unneededBefore.minus(RETIRED)));
    }

    /** Gives a key to the projects that have none, as after the first start. */
    public Future<Void> addMissingKeys() {
        return addWhereNeeded(NEVER, clock.instant());
    }

    private Future<Void> addWhereNeeded(Instant newestBefore, Instant now) {
        return store.findProjectsNeedingKey(database.writes(), newestBefore, BATCH)
                .compose(projects -> addToEach(projects, newestBefore, now)
                        .compose(done -> projects.size() < BATCH
                                ? Future.succeededFuture()
                                : addWhereNeeded(newestBefore, now)));
    }

    private Future<Void> addToEach(List<ProjectId> projects, Instant newestBefore, Instant now) {
        Future<Void> chain = Future.succeededFuture();
        for (var project : projects) {
            chain = chain.compose(done ->
                    database.inTransaction(transaction -> store.addIfNeeded(transaction, project, newestBefore, now)));
        }
        return chain;
    }
}
