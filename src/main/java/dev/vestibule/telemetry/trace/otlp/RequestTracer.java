package dev.vestibule.telemetry.trace.otlp;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.RequestRecord;
import dev.vestibule.telemetry.trace.WorkTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.context.storage.ContextLocal;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.observability.HttpResponse;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.pgclient.PgException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates spans for requests and for what they wait for, by OpenTelemetry's semantic conventions, without any secrets.
 */
final class RequestTracer implements VertxTracer<Span, Span>, WorkTracer {
    private static final ContextLocal<SpanOrigin> CAUSE = ContextLocal.registerLocal(SpanOrigin.class);

    /** A client can send any text as a method. */
    private static final Set<String> METHODS =
            Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    private static final String OTHER_METHOD = "_OTHER";
    private static final String STATEMENT = "db.query.text";

    private static final AttributeKey<String> METHOD = stringKey("http.request.method");
    private static final AttributeKey<String> ROUTE = stringKey("http.route");
    private static final AttributeKey<Long> STATUS = longKey("http.response.status_code");
    private static final AttributeKey<String> REQUEST_ID = stringKey("vestibule.request.id");
    private static final AttributeKey<String> PROJECT = stringKey("vestibule.project.id");
    private static final AttributeKey<String> HOST = stringKey("server.address");
    private static final AttributeKey<Long> PORT = longKey("server.port");
    private static final AttributeKey<String> DATABASE = stringKey("db.system.name");
    private static final AttributeKey<String> OPERATION = stringKey("db.operation.name");
    private static final AttributeKey<String> QUERY = stringKey(STATEMENT);
    private static final AttributeKey<String> SQL_STATE = stringKey("db.response.status_code");
    private static final AttributeKey<String> ERROR = stringKey("error.type");

    private final Tracer tracer;

    RequestTracer(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Vert.x has read the head of a request; nothing else is known about the request yet. */
    @Override
    public <R> @Nullable Span receiveRequest(
            Context context,
            io.vertx.core.spi.tracing.SpanKind kind,
            TracingPolicy policy,
            R request,
            String operation,
            Iterable<Map.Entry<String, String>> headers,
            TagExtractor<R> tags) {
        if (policy == TracingPolicy.IGNORE || !(request instanceof HttpServerRequest received)) {
            return null;
        }
        var method = known(operation);
        var builder = tracer.spanBuilder(method).setNoParent().setSpanKind(SpanKind.SERVER);
        TraceParent.of(received.headers()).ifPresent(builder::addLink);
        var span = builder.startSpan().setAttribute(METHOD, method);
        CAUSE.put(context, SpanOrigin.request(span));
        return span;
    }

    @Override
    public <R> void sendResponse(
            Context context,
            @Nullable R response,
            @Nullable Span span,
            @Nullable Throwable failure,
            TagExtractor<R> tags) {
        if (span == null) {
            return;
        }
        var record = RequestRecord.of(context);
        if (record != null) {
            describe(span, record);
        }
        if (response instanceof HttpServerResponse sent) {
            setStatus(span, sent.getStatusCode(), ErrorStatus.INTERNAL.code());
        }
        span.end();
    }

    private static void describe(Span span, RequestRecord record) {
        span.setAttribute(REQUEST_ID, record.id());
        var route = record.route();
        if (route != null) {
            span.updateName(route).setAttribute(ROUTE, route.substring(route.indexOf(' ') + 1));
        }
        var project = record.project();
        if (project != null) {
            span.setAttribute(PROJECT, project.toString());
        }
    }

    /**
     * Begins the span of a statement, or of a request to another server; null if no request waits for the statement.
     */
    @Override
    public <R> @Nullable Span sendRequest(
            Context context,
            io.vertx.core.spi.tracing.SpanKind kind,
            TracingPolicy policy,
            R request,
            String operation,
            BiConsumer<String, String> headers,
            TagExtractor<R> tags) {
        var cause = CAUSE.get(context);
        if (request instanceof HttpRequest sent) {
            return call(cause, sent);
        }
        var statement = value(STATEMENT, request, tags);
        return cause == null || statement == null ? null : query(cause, statement);
    }

    private Span call(@Nullable SpanOrigin cause, HttpRequest request) {
        var method = known(request.method().name());
        var builder = tracer.spanBuilder(method).setSpanKind(SpanKind.CLIENT).setAttribute(METHOD, method);
        var target = URI.create(request.absoluteURI());
        builder.setAttribute(HOST, String.valueOf(target.getHost()));
        if (target.getPort() > 0) {
            builder.setAttribute(PORT, (long) target.getPort());
        }
        return (cause == null ? builder.setNoParent() : cause.begin(builder)).startSpan();
    }

    private Span query(SpanOrigin cause, String statement) {
        var words = new StringTokenizer(statement);
        var operation = words.hasMoreTokens() ? words.nextToken() : "";
        return cause.begin(tracer.spanBuilder(operation))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(DATABASE, "postgresql")
                .setAttribute(OPERATION, operation)
                .setAttribute(QUERY, statement)
                .startSpan();
    }

    private static <R> @Nullable String value(String name, R request, TagExtractor<R> tags) {
        for (var i = 0; i < tags.len(request); i++) {
            if (tags.name(request, i).equals(name)) {
                return tags.value(request, i);
            }
        }
        return null;
    }

    @Override
    public <R> void receiveResponse(
            Context context,
            @Nullable R response,
            @Nullable Span span,
            @Nullable Throwable failure,
            TagExtractor<R> tags) {
        if (span == null) {
            return;
        }
        if (response instanceof HttpResponse received) {
            setStatus(span, received.statusCode(), ErrorStatus.BAD_REQUEST.code());
        }
        if (failure != null) {
            span.setStatus(StatusCode.ERROR)
                    .setAttribute(ERROR, failure.getClass().getName());
        }
        if (failure instanceof PgException refused) {
            span.setAttribute(SQL_STATE, String.valueOf(refused.getSqlState()));
        }
        span.end();
    }

    private static void setStatus(Span span, int status, int firstError) {
        span.setAttribute(STATUS, (long) status);
        if (status >= firstError) {
            span.setStatus(StatusCode.ERROR).setAttribute(ERROR, Integer.toString(status));
        }
    }

    private static String known(String method) {
        return METHODS.contains(method) ? method : OTHER_METHOD;
    }

    @Override
    public ContextInternal onBehalfOf(List<ContextInternal> requests, ContextInternal context) {
        var causes = requests.stream()
                .map(CAUSE::get)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (causes.isEmpty()) {
            return context;
        }
        var traced = context.duplicate();
        CAUSE.put(traced, causes.size() == 1 ? causes.get(0) : SpanOrigin.shared(causes));
        return traced;
    }

    @Override
    public Runnable begin(String step, ContextInternal request) {
        var cause = CAUSE.get(request);
        return cause == null ? () -> {} : cause.begin(tracer.spanBuilder(step)).startSpan()::end;
    }
}
