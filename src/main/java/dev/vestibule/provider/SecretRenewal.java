package dev.vestibule.provider;

import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import dev.vestibule.provider.SealedSecretStore.SealedSecret;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Seals providers' secrets anew after a change of the master secret, so that the one before it can be dropped. */
public final class SecretRenewal {
    private static final Logger LOG = LoggerFactory.getLogger(SecretRenewal.class);
    private static final int BATCH = 100;
    private static final ProjectId BEFORE_ALL = new ProjectId(new UUID(0, 0));

    private final Database database;
    private final SealedSecretStore store;

    public SecretRenewal(Database database, SealedSecretStore store) {
        this.database = database;
        this.store = store;
    }

    /** One round over all projects; rounds of several nodes at once do no harm. */
    public Future<Void> run() {
        return store.mayHoldOutdated() ? renewAfter(BEFORE_ALL, "") : Future.succeededFuture();
    }

    private Future<Void> renewAfter(ProjectId project, String provider) {
        return store.outdated(database.writes(), project, provider, BATCH)
                .compose(batch -> renewEach(batch).compose(done -> goOnAfter(batch)));
    }

    private Future<Void> goOnAfter(List<SealedSecret> batch) {
        if (batch.isEmpty()) {
            return Future.succeededFuture();
        }
        LOG.info("{} secrets of identity providers are sealed under the current master secret now", batch.size());
        var last = batch.get(batch.size() - 1);
        return renewAfter(last.project(), last.provider());
    }

    private Future<Void> renewEach(List<SealedSecret> batch) {
        Future<Void> chain = Future.succeededFuture();
        for (var secret : batch) {
            chain = chain.compose(done -> store.renew(database.writes(), secret))
                    .recover(failure -> passOver(secret, failure));
        }
        return chain;
    }

    /** What does not open is damaged: it must not keep the others from being renewed. */
    private static Future<Void> passOver(SealedSecret secret, Throwable failure) {
        if (!(failure instanceof IllegalStateException)) {
            return Future.failedFuture(failure);
        }
        LOG.warn("The secret of {} in project {} does not open", secret.provider(), secret.project());
        return Future.succeededFuture();
    }
}
