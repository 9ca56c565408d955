package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Remembers, for deleted accounts and for previous emails of accounts, when the time to set up a second factor started:
 * otherwise a user who deletes the account and signs up again with the same email, number or identity would never need
 * one. It stores only keyed hashes.
 */
public final class EnrolmentStarts {
    private static final Duration KEPT = Duration.ofDays(90);
    private final EnrolmentStartStore store = new EnrolmentStartStore();
    private final KeyedHash hash;
    private final Clock clock;

    EnrolmentStarts(MasterKeys masterKeys, Clock clock) {
        this.hash = new KeyedHash(masterKeys, "enrolment starts");
        this.clock = clock;
    }

    /**
     * Remembers when the grace period of an account started that is about to be deleted or to change its email; does
     * nothing if the project requires no second factor.
     */
    public Future<Void> remember(SqlConnection transaction, User user) {
        var project = user.projectId();
        return store.identitiesOf(transaction, project, user.id())
                .map(identities -> keys(user, identities))
                .compose(keys -> store.remember(
                        transaction,
                        project,
                        keys,
                        user.enrolmentStart(),
                        clock.instant().plus(KEPT)));
    }

    /** Returns the new user, whose time starts when it started in an earlier account. */
    public Future<User> resume(
            SqlConnection transaction, Project project, User created, List<LinkedIdentity> identities) {
        return project.factors().requiresMfa()
                ? store.resume(transaction, project.id(), created.id(), keys(created, identities), clock.instant())
                        .map(resumed -> resumed.orElse(created))
                : Future.succeededFuture(created);
    }

    /** An unverified number may be anybody's. Neither an email nor a part of an identity contains a line break. */
    private List<Buffer> keys(User user, List<LinkedIdentity> identities) {
        return Stream.of(
                        Stream.ofNullable(user.email()).map(email -> "email\n" + email),
                        Stream.ofNullable(user.phoneVerified() ? user.phone() : null)
                                .map(phone -> "phone\n" + phone),
                        identities.stream()
                                .map(one -> "identity\n" + one.provider() + "\n" + one.issuer() + "\n" + one.subject()))
                .flatMap(keys -> keys)
                .distinct()
                .map(key -> key(user.projectId(), key))
                .toList();
    }

    private Buffer key(ProjectId project, String text) {
        return Buffer.buffer(hash.hash((project + "\n" + text).getBytes(StandardCharsets.UTF_8)));
    }

    Future<Void> purge(Database database) {
        return EnrolmentStartStore.OLD.remove(database, clock.instant());
    }
}
