package dev.vestibule.user.organization;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Issues the tokens of invitations when their mails are sent, so that no queue contains one; the database has only
 * their hashes. A hash needs no key: nobody guesses 256 bits.
 */
public final class OrganizationInvitationTokens {
    /** How long an invitation can be accepted after its mail was sent. */
    public static final int DAYS = 7;

    static final Duration LIFETIME = Duration.ofDays(DAYS);

    /** How long a list shows what became of an invitation. */
    private static final Duration RETENTION = Duration.ofDays(30);

    private static final String PREFIX = "oi_";
    private static final int SECRET_BYTES = 32;
    private final OrganizationInvitationStore store = new OrganizationInvitationStore();
    private final Clock clock;

    public OrganizationInvitationTokens(Clock clock) {
        this.clock = clock;
    }

    /**
     * The contents of the mail.
     *
     * @param page takes the token; null if the project has no such page
     */
    public record Issued(
            String token, String organization, @Nullable String page) {
        /** Redacted, so that a token never reaches a log. */
        @Override
        public String toString() {
            return "Issued";
        }
    }

    /** A new token for the mail that is about to be sent; empty if nobody needs it any more. */
    public Future<Optional<Issued>> issue(SqlClient db, ProjectId project, UUID mail) {
        var token = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(SECRET_BYTES));
        return store.setToken(db, project, mail, hash(token), clock.instant().plus(LIFETIME))
                .map(found -> found.map(sent -> new Issued(token, sent.organization(), sent.page())));
    }

    static Buffer hash(String token) {
        return Buffer.buffer(Sha256.of(token));
    }

    /** Removes old invitations; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        var before = clock.instant().minus(RETENTION);
        return OrganizationInvitationStore.EXPIRED.remove(database, before);
    }
}
