package dev.vestibule.server;

import dev.vestibule.database.Entered;
import dev.vestibule.database.Shard;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;

/** A verticle all of whose work is in one of the databases. */
final class ShardVerticle implements Deployable {
    private final Shard shard;
    private final Deployable verticle;

    ShardVerticle(Shard shard, Deployable verticle) {
        this.shard = shard;
        this.verticle = verticle;
    }

    @Override
    public Future<?> deploy(Context context) throws Exception {
        Entered.forGood(context, shard);
        return verticle.deploy(context);
    }

    @Override
    public Future<?> undeploy(Context context) throws Exception {
        return verticle.undeploy(context);
    }
}
