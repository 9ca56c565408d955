package dev.vestibule.user.organization.directory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.database.Database;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ScannableKey;
import dev.vestibule.project.ScannableKey.Kind;
import dev.vestibule.user.organization.directory.DirectoryStore.Check;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Says of which directory a token is. Every check asks the database, by a hash, which no guess comes close to; those
 * that arrive on an event loop during a query share the next one.
 */
public final class DirectoryTokens {
    private static final int REMEMBERED = 10_000;

    private final Database database;
    private final Clock clock;
    private final DirectoryStore store = new DirectoryStore();
    private final SharedStatement<Check, Optional<PresentedToken>> checks;
    /** The tokens that were good when they were last presented, with the hour that was written for them. */
    private final Cache<Buffer, Instant> used =
            Caffeine.newBuilder().maximumSize(REMEMBERED).build();

    public DirectoryTokens(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.checks = database.shared(asked -> store.findByTokens(database.reads(), asked));
    }

    /**
     * Empty if the text is not a token of the project, or no longer.
     *
     * @param beforeLookup runs before a token is looked up that this node has not seen
     */
    public Future<Optional<PresentedToken>> find(
            ProjectId project, String text, BooleanSupplier isGone, Runnable beforeLookup) {
        var token = ScannableKey.parse(Kind.DIRECTORY, text)
                .filter(one -> one.project().equals(project));
        if (token.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        var hash = token.get().hash();
        if (used.getIfPresent(hash) == null) {
            beforeLookup.run();
        }
        return checks.ask(new Check(project, hash), isGone)
                .onSuccess(found ->
                        found.ifPresentOrElse(one -> noteUse(project, hash, one), () -> used.invalidate(hash)));
    }

    /** The refusal of a token that is not one of the directory, or no longer. */
    public static ApiException refused() {
        return ApiException.of(
                ErrorCode.INVALID_ACCESS_TOKEN, "The token is not one of this directory, or was revoked.");
    }

    /**
     * Records the use of a token, once an hour and in the background; if that fails, the use in the next hour is
     * recorded.
     */
    private void noteUse(ProjectId project, Buffer hash, PresentedToken found) {
        var now = clock.instant();
        var hour = now.truncatedTo(ChronoUnit.HOURS);
        if (!hour.equals(used.getIfPresent(hash))) {
            used.put(hash, hour);
            if (!hour.equals(found.lastUsedAt())) {
                store.use(database.writes(), project, found.id(), now);
            }
        }
    }
}
