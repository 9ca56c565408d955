package dev.vestibule.database;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a context works: that of a request enters the database of its project, and the background work of a database
 * has entered that from its start.
 *
 * @param project which must not move during the work; null for background work, for the dashboard users' project, which
 *     never moves, and for a request that only finishes
 */
public record Entered(Shard shard, @Nullable UUID project) {
    private static final ContextLocal<Entered> LOCAL = ContextLocal.registerLocal(Entered.class);

    /**
     * Vert.x finds this through the service loader: its contexts have room only for what is registered before it
     * starts.
     */
    public static final class Registration implements VertxServiceProvider {
        @Override
        public void init(VertxBootstrap vertx) {
            Objects.requireNonNull(LOCAL); // loading this class does not initialise the outer one
        }
    }

    /** The database in which the calling context works. */
    public static Shard here() {
        var entered = current();
        return entered == null ? Shard.HOME : entered.shard();
    }

    /** All that runs in the context of a verticle works in this database from now on. */
    public static void forGood(Context verticle, Shard shard) {
        new Entered(shard, null).put(verticle);
    }

    /** Where the calling context works; null if it has entered nothing, and so works at home. */
    static @Nullable Entered current() {
        var context = (ContextInternal) Vertx.currentContext();
        if (context == null) {
            return null;
        }
        var own = LOCAL.get(context);
        // The context of a message or a batch is a new one, of the verticle that has it.
        return own == null && context.isDuplicate() ? LOCAL.get(context.unwrap()) : own;
    }

    void put(Context context) {
        LOCAL.put(context, this);
    }
}
