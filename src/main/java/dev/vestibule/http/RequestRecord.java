package dev.vestibule.http;

import com.github.f4b6a3.uuid.UuidCreator;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What log lines and traces say about a request: names and ids, but no credentials. Vert.x gives each request its own
 * context, which asynchronous steps keep while threads change; the record is stored there.
 */
public final class RequestRecord {
    /** The header with the id that connects a response, the log lines about it and the caller's own trace. */
    static final String ID_HEADER = "X-Request-Id";

    private static final Pattern GIVEN_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final ContextLocal<RequestRecord> LOCAL = ContextLocal.registerLocal(RequestRecord.class);

    private final String id;
    private final long begin = System.nanoTime();
    private @Nullable String route;
    private @Nullable Object project;
    private @Nullable String key;
    private @Nullable Object user;

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

    private RequestRecord(String id) {
        this.id = id;
    }

    /** Begins the record of a request that has just arrived. */
    static RequestRecord begin(HttpServerRequest request) {
        var record = new RequestRecord(id(request));
        LOCAL.put(contextOf(request), record);
        return record;
    }

    /** The caller's id if it is safe to log, else a new one. */
    private static String id(HttpServerRequest request) {
        var given = request.getHeader(ID_HEADER);
        return given != null && GIVEN_ID.matcher(given).matches()
                ? given
                : UuidCreator.getTimeOrderedEpochFast().toString();
    }

    /** The record of this request, which {@link ResponseHeaders} has begun. */
    public static RequestRecord of(HttpServerRequest request) {
        return LOCAL.get(contextOf(request));
    }

    /** The record of the request that the calling thread is handling, if any. */
    public static @Nullable RequestRecord current() {
        var context = Vertx.currentContext();
        return context == null ? null : LOCAL.get(context);
    }

    /** The record of the request that owns this context, if any. */
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

    /** Sets the id of the project that the request is about. */
    public void project(Object projectId) {
        project = projectId;
    }

    /** Sets the last characters of the valid API key that the request was sent with. */
    public void key(String lastFour) {
        key = lastFour;
    }

    /** Sets the id of the user who sent the request. */
    public void user(Object userId) {
        user = userId;
    }

    /** Sets the user of the request that the calling thread is handling, if any. */
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
