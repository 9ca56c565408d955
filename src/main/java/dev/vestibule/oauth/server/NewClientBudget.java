package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.database.Database;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.budget.Budget;
import dev.vestibule.project.budget.Budgets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;

/** How many clients that no owner has registered a network may bring to a project in a day. */
final class NewClientBudget {
    private static final Duration DAY = Duration.ofDays(1);

    /** How clients come: by registering themselves, or by a metadata document. */
    enum Way {
        REGISTRATION("network", "registrations", "limits.registrationsPerDay"),
        DOCUMENT("document network", "client documents", "limits.clientDocumentsPerDay");

        private final String scope;
        private final String plural;
        private final String setting;

        Way(String scope, String plural, String setting) {
            this.scope = scope;
            this.plural = plural;
            this.setting = setting;
        }

        private String message() {
            return "Too many " + plural + " today (the server's setting " + setting + "). Try again later.";
        }

        private String policy() {
            return plural.replace(' ', '-');
        }
    }

    private final Database database;
    private final Budgets budgets;
    private final KeyedHash networks;
    private final Way way;
    private final int perNetworkAndDay;

    NewClientBudget(Database database, Budgets budgets, KeyedHash networks, Way way, int perNetworkAndDay) {
        this.database = database;
        this.budgets = budgets;
        this.networks = networks;
        this.way = way;
        this.perNetworkAndDay = perNetworkAndDay;
    }

    /** Counts one more client; a 429 if the network has brought too many. */
    Future<Void> take(ApiRequest request) {
        var key = new Budget.Key(
                way.scope, Buffer.buffer(networks.hash(request.network().getBytes())));
        return budgets.use(database.writes(), request.project().id(), List.of(key.limitedTo(perNetworkAndDay, DAY)))
                .compose(result -> result.refusal()
                        .<Future<Void>>map(spent -> Future.failedFuture(
                                spent.error(ErrorCode.TOO_MANY_REQUESTS, way.message(), way.policy())))
                        .orElseGet(Future::succeededFuture));
    }
}
