package dev.vestibule.database;

import dev.vestibule.error.ApiException;
import dev.vestibule.telemetry.trace.WorkTracer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks the database the questions of one event loop together: those that arrive while a statement is under way wait for
 * it and go as the next one, so a lone question waits for nothing, and the more there are, the less each one costs.
 *
 * <p>A statement has at most one question about a row. Equal questions share it and its answer; others about the same row
 * wait for the next one. When more wait than one statement takes, projects take turns. When too many wait, one of
 * the project with the most waiting gets a 503: of a question that many ask, or the newest. A statement that failed by what one question led to is asked again, each
 * question alone, so that no request gets another's error.
 *
 * @param <Q> the questions
 * @param <A> the answers, of which a statement has one for each question, in their order
 */
public final class SharedStatement<Q extends SharedStatement.Question, A> {
    /** What is asked of one row. Equal questions have equal answers. */
    public interface Question {
        Object project();

        Object row();
    }

    /** How many questions go together at most, how many may wait and how long, and how long a statement may take. */
    record Limits(int together, int waiting, Duration longestWait, Duration time) {}

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private record Asker<A>(Promise<A> answer, BooleanSupplier isGone, long since) {}

    /** What waits of one project. */
    private static final class Queue<Q, A> {
        final Map<Q, List<Asker<A>>> questions = new LinkedHashMap<>();
        int askers;
    }

    private final VertxInternal vertx;
    private final ContextInternal context;
    private final @Nullable WorkTracer tracer;
    private final Limits limits;
    private final Function<List<Q>, Future<List<A>>> statement;
    private final Map<Object, Queue<Q, A>> waiting = new LinkedHashMap<>();
    private int askers;
    private boolean isBusy;

    /** For the calling event loop. */
    SharedStatement(VertxInternal vertx, Limits limits, Function<List<Q>, Future<List<A>>> statement) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.tracer = WorkTracer.of(vertx);
        this.limits = limits;
        this.statement = statement;
    }

    /**
     * The answer, on the caller's own context. A question of which all askers are gone before it was sent is not asked,
     * and has no answer.
     */
    public Future<A> ask(Q question, BooleanSupplier isGone) {
        Promise<A> answer = vertx.getOrCreateContext().promise();
        var queue = waiting.computeIfAbsent(question.project(), project -> new Queue<>());
        queue.questions
                .computeIfAbsent(question, unknown -> new ArrayList<>(1))
                .add(new Asker<>(answer, isGone, System.nanoTime()));
        queue.askers++;
        askers++;
        if (askers > limits.waiting()) {
            refuseOne();
        }
        if (!isBusy) {
            isBusy = true;
            context.runOnContext(arrived -> askNext()); // after what else has arrived with it
        }
        return answer.future();
    }

    /** Of the project with the most askers, one of the question with the most, so that a repeated one is the first to go. */
    private void refuseOne() {
        var project = Collections.max(waiting.entrySet(), Comparator.comparingInt(entry -> entry.getValue().askers))
                .getKey();
        var queue = Objects.requireNonNull(waiting.get(project));
        Map.@Nullable Entry<Q, List<Asker<A>>> most = null;
        for (var entry : queue.questions.entrySet()) {
            if (most == null || entry.getValue().size() >= most.getValue().size()) {
                most = entry;
            }
        }
        var refused = Objects.requireNonNull(most).getValue();
        var asker = refused.remove(refused.size() - 1);
        if (refused.isEmpty()) {
            queue.questions.remove(most.getKey());
        }
        if (queue.questions.isEmpty()) {
            waiting.remove(project);
        }
        queue.askers--;
        askers--;
        asker.answer().fail(busy());
    }

    private static ApiException busy() {
        return ApiException.unavailable("The service is busy. Try again in a moment.", RETRY_AFTER);
    }

    private void askNext() {
        var next = take();
        if (next.isEmpty()) {
            isBusy = false;
            return;
        }
        var questions = List.copyOf(next.keySet());
        ask(questions, next).onComplete(answers -> {
            if (answers.succeeded()) {
                askNext(); // before anybody is answered, so that the database does not wait for this loop
                for (var i = 0; i < questions.size(); i++) {
                    var given = answers.result().get(i);
                    Objects.requireNonNull(next.get(questions.get(i)))
                            .forEach(asker -> asker.answer().complete(given));
                }
            } else if (questions.size() > 1 && !SqlFailures.isUnavailability(answers.cause())) {
                askAlone(questions, next).onComplete(asked -> context.runOnContext(ended -> askNext()));
            } else {
                next.values().forEach(all -> all.forEach(asker -> asker.answer().fail(answers.cause())));
                context.runOnContext(failed -> askNext());
            }
        });
    }

    private Future<?> askAlone(List<Q> questions, Map<Q, List<Asker<A>>> next) {
        return Future.join(questions.stream()
                .map(question -> ask(List.of(question), next).onComplete(answers -> {
                    for (var asker : Objects.requireNonNull(next.get(question))) {
                        if (answers.succeeded()) {
                            asker.answer().complete(answers.result().get(0));
                        } else {
                            asker.answer().fail(answers.cause());
                        }
                    }
                }))
                .toList());
    }

    /** Also catches what the statement throws. On this loop's context, or the timeout would end on a thread of its own. */
    private Future<List<A>> ask(List<Q> questions, Map<Q, List<Asker<A>>> next) {
        var place = tracer == null ? context : tracer.onBehalfOf(contexts(questions, next), context);
        return place.succeededFuture(questions)
                .compose(statement)
                .timeout(limits.time().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static <Q, A> List<ContextInternal> contexts(List<Q> questions, Map<Q, List<Asker<A>>> next) {
        return questions.stream()
                .flatMap(question -> Objects.requireNonNull(next.get(question)).stream())
                .map(asker -> ((PromiseInternal<A>) asker.answer()).context())
                .toList();
    }

    /** One question of each project in turn, until enough go together or none is left about another row. */
    private Map<Q, List<Asker<A>>> take() {
        Map<Q, List<Asker<A>>> taken = new LinkedHashMap<>();
        var rows = new HashSet<Object>();
        var exhausted = new HashSet<Object>();
        while (taken.size() < limits.together() && waiting.size() > exhausted.size()) {
            var project = waiting.keySet().iterator().next();
            var queue = Objects.requireNonNull(waiting.remove(project));
            if (!takeOne(queue, rows, taken)) {
                exhausted.add(project);
            }
            if (queue.questions.isEmpty()) {
                exhausted.remove(project);
            } else {
                waiting.put(project, queue);
            }
        }
        return taken;
    }

    private boolean takeOne(Queue<Q, A> queue, Set<Object> rows, Map<Q, List<Asker<A>>> taken) {
        for (var entries = queue.questions.entrySet().iterator(); entries.hasNext(); ) {
            var entry = entries.next();
            if (rows.contains(entry.getKey().row())) {
                continue;
            }
            entries.remove();
            queue.askers -= entry.getValue().size();
            askers -= entry.getValue().size();
            entry.getValue().removeIf(this::isNotServed);
            if (!entry.getValue().isEmpty()) {
                rows.add(entry.getKey().row());
                taken.put(entry.getKey(), entry.getValue());
                return true;
            }
        }
        return false;
    }

    /** One that has waited for too long, behind statements that hung, is refused as where it waits for a connection. */
    private boolean isNotServed(Asker<A> asker) {
        if (asker.isGone().getAsBoolean()) {
            return true;
        }
        var isLate = System.nanoTime() - asker.since() > limits.longestWait().toNanos();
        if (isLate) {
            asker.answer().fail(busy());
        }
        return isLate;
    }
}
