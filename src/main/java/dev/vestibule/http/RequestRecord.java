package dev.vestibule.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What log lines and traces tell of a request: names, and nothing that opens anything. Vert.x gives each request a context
 * of its own, which asynchronous steps keep while threads change; the record is kept in there.
 */
public final class RequestRecord {
    private static final ContextLocal<RequestRecord> LOCAL = ContextLocal.registerLocal(RequestRecord.class);

    private final String id;
    private final long begin = System.nanoTime();
    private @Nullable String route;
    private @Nullable Object project;
    private @Nullable String key;
    private @Nullable Object user;

    /** Vert.x finds it by the services of the jar: only what is registered before it starts has room in its contexts. */
    public static final class Registration implements VertxServiceProvider {
        @Override
        public void init(VertxBootstrap vertx) {
            Objects.requireNonNull(LOCAL); // this class is initialised without the one around it
        }
    }

    private RequestRecord(String id) {
        this.id = id;
    }

    /** Begins the record of a request that has just arrived. */
    static RequestRecord begin(HttpServerRequest request) {
        var record = new RequestRecord(RequestId.of(request));
        LOCAL.put(contextOf(request), record);
        return record;
    }

    /** The record of this request, which {@link ResponseHeaders} has begun. */
    public static RequestRecord of(HttpServerRequest request) {
        return LOCAL.get(contextOf(request));
    }

    /** The record of the request that the calling thread handles right now, if it does. */
    public static @Nullable RequestRecord current() {
        var context = Vertx.currentContext();
        return context == null ? null : LOCAL.get(context);
    }

    /** The record of the request that has this context, if it is a request's. */
    public static @Nullable RequestRecord of(Context context) {
        return LOCAL.get(context);
    }

    private static ContextInternal contextOf(HttpServerRequest request) {
        return ((HttpServerRequestInternal) request).context();
    }

    /** The id in the response's header. */
    public String id() {
        return id;
    }

    /** Method and path template, once the router has found them. */
    public @Nullable String route() {
        return route;
    }

    /** The project that the request is about, by its id. */
    public @Nullable Object project() {
        return project;
    }

    @Nullable
    String key() {
        return key;
    }

    @Nullable
    Object user() {
        return user;
    }

    void found(String routeName) {
        route = routeName;
    }

    /** The request is about this project, by its id. */
    public void project(Object projectId) {
        project = projectId;
    }

    /** The request was sent with a good API key that ends with these characters. */
    public void key(String lastFour) {
        key = lastFour;
    }

    /** The request is of this user, by their id. */
    public void user(Object userId) {
        user = userId;
    }

    /** The request that the calling thread handles, if it does, turned out to be of this user. */
    public static void ofUser(Object userId) {
        var record = current();
        if (record != null) {
            record.user(userId);
        }
    }

    long nanos() {
        return System.nanoTime() - begin;
    }
}
