package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.database.SharedUpdate;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.oauth.server.GrantStore.Check;
import dev.vestibule.oauth.server.GrantStore.Live;
import dev.vestibule.oauth.server.GrantStore.Refreshing;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.EndReason;
import dev.vestibule.user.DomainConnections;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Looks up, refreshes and ends live grants. Every use of an access token asks the database; requests that arrive on an
 * event loop during a query share the next one, as those of sessions do.
 */
final class Grants {
    private final Database database;
    private final DomainConnections connections;
    private final GrantStore store = new GrantStore();
    private final SharedStatement<Check, Optional<Live>> finds;
    private final SharedStatement<Check, Boolean> checks;
    private final SharedUpdate<Refreshing, Live> refreshes;

    Grants(Database database, DomainConnections connections, Clock clock, Duration refreshGrace) {
        this.database = database;
        this.connections = connections;
        this.finds = database.shared(asked -> store.findLive(database.reads(), asked, clock.instant()));
        this.checks = database.shared(asked -> store.areLive(database.reads(), asked, clock.instant()));
        this.refreshes = new SharedUpdate<>(
                database,
                refreshGrace,
                asked -> store.refreshFree(database.writes(), asked, clock.instant()),
                missing -> store.areLive(database.reads(), checks(missing), clock.instant())
                        .map(live -> those(missing, live)),
                refresh -> store.refresh(database.writes(), refresh, clock.instant()));
    }

    private static List<Check> checks(List<Refreshing> refreshes) {
        return refreshes.stream()
                .map(refresh -> new Check(refresh.project(), refresh.grant()))
                .toList();
    }

    private static Set<Refreshing> those(List<Refreshing> refreshes, List<Boolean> live) {
        return IntStream.range(0, refreshes.size())
                .filter(live::get)
                .mapToObj(refreshes::get)
                .collect(Collectors.toSet());
    }

    /** Empty if the grant, or its session, user or client, has ended. */
    Future<Optional<Live>> find(ProjectId project, UUID grant, BooleanSupplier isGone) {
        return finds.ask(new Check(project, grant), isGone);
    }

    /** Whether there is what {@link #find} finds. */
    Future<Boolean> isLive(ProjectId project, UUID grant, BooleanSupplier isGone) {
        return checks.ask(new Check(project, grant), isGone);
    }

    /** The grant after the refresh; empty if it has ended, or does not allow it. */
    Future<Optional<Live>> refresh(Refreshing refresh, BooleanSupplier isGone) {
        return refreshes.ask(refresh, isGone);
    }

    /**
     * Ends a grant from before the domain of its user's email required a connection, and fails with this error, as with
     * sessions.
     */
    Future<Void> requireCurrent(ApiRequest request, Live found, Supplier<OauthError> refusal) {
        var user = found.user();
        var at = found.grant().authenticatedAt();
        return user == null || at == null
                ? Future.succeededFuture()
                : connections
                        .isOutdated(database.reads(), request.project().id(), user.email(), at)
                        .compose(isOutdated -> isOutdated
                                ? end(request, found.grant().id(), Published.GRANT_ENDED, EndReason.SSO_REQUIRED.text())
                                        .compose(ended -> Future.failedFuture(refusal.get()))
                                : Future.succeededFuture());
    }

    /** Does nothing if the grant has ended. */
    Future<Void> end(ApiRequest request, UUID grant, Published fact, String reason) {
        var project = request.project().id();
        var trail = request.trail();
        return database.inTransaction(transaction -> store.delete(transaction, project, grant)
                .compose(ended -> GrantNews.ended(trail, transaction, project, ended, fact, reason)));
    }
}
