package dev.vestibule.database;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.telemetry.trace.WorkTracer;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClosedException;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Batches the questions of an event loop to the database. Questions that arrive while a statement is running wait for
 * it and are sent together as the next one. So a single question waits for nothing, and the more questions there are,
 * the less each one costs. Once enough of them wait, a second statement runs beside the first, so that the database
 * works while this loop reads requests and writes their answers.
 *
 * <p>Statements that run have at most one question about a row. Equal questions share the question and its answer;
 * other questions about the same row wait for a later statement. When more questions wait than one statement takes,
 * projects take turns. When too many callers wait, one of the project with the most gets a 503: a caller of the
 * question with the most callers, or of the newest. If one question makes a statement fail, each question is asked
 * again alone, so that no request gets another's error.
 *
 * <p>Event loops share nothing of this but the limits, which each has for itself.
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

    /**
     * How many questions a statement takes at most, how many are enough for a second one, how many callers can wait and
     * how long, and how long a statement may take.
     */
    record Limits(int batchSize, int enough, int waiting, Duration longestWait, Duration time) {}

    private final VertxInternal vertx;
    private final Limits limits;
    private final Runnable beforeWaiting;
    private final Function<List<Q>, Future<List<A>>> statement;
    private final PerShard<Map<EventLoop, LoopQuestions<Q, A>>> loops = new PerShard<>(ConcurrentHashMap::new);

    /**
     * A statement that the loop's own context runs, which works for no project.
     *
     * @param beforeWaiting what each caller's context does first; it can throw
     */
    SharedStatement(
            VertxInternal vertx, Limits limits, Runnable beforeWaiting, Function<List<Q>, Future<List<A>>> statement) {
        this.vertx = vertx;
        this.limits = limits;
        this.beforeWaiting = beforeWaiting;
        this.statement = statement;
    }

    /**
     * The answer, on the context of the caller, which must be on an event loop. A caller that is gone before its
     * question is sent gets an {@link HttpClosedException}, and without any other caller the question is not asked.
     */
    public Future<A> ask(Q question, BooleanSupplier isGone) {
        beforeWaiting.run();
        var context = vertx.getOrCreateContext();
        var loop = context.nettyEventLoop();
        var shard = Entered.here();
        var here = loops.of(shard);
        var questions = here.get(loop);
        if (questions == null) {
            // The context of the verticle, since that of the request ends with it.
            questions = new LoopQuestions<>(context.unwrap(), shard, limits, statement);
            here.put(loop, questions); // nobody else puts one for this loop
        }
        return questions.ask(question, isGone);
    }

    /** The questions of one event loop to one database; only this loop may touch them. */
    private static final class LoopQuestions<Q extends Question, A> {
        private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

        private record Caller<A>(Promise<A> answer, BooleanSupplier isGone, long since) {}

        /** The waiting questions of one project. */
        private static final class Queue<Q, A> {
            final Map<Q, List<Caller<A>>> questions = new LinkedHashMap<>();
            int callers;
        }

        private final ContextInternal context;
        private final Shard shard;
        private final @Nullable WorkTracer tracer;
        private final Limits limits;
        private final Function<List<Q>, Future<List<A>>> statement;
        private final Map<Object, Queue<Q, A>> waiting = new LinkedHashMap<>();
        private final Set<Object> rowsAsked = new HashSet<>();
        private int callers;
        private int running; // statements, at most two
        private boolean isDue;

        LoopQuestions(
                ContextInternal context, Shard shard, Limits limits, Function<List<Q>, Future<List<A>>> statement) {
            this.context = shard.isHome() ? context : context.duplicate();
            this.shard = shard;
            this.tracer = WorkTracer.of(context.owner());
            this.limits = limits;
            this.statement = statement;
        }

        Future<A> ask(Q question, BooleanSupplier isGone) {
            Promise<A> answer = context.owner().getOrCreateContext().promise();
            var queue = waiting.computeIfAbsent(question.project(), project -> new Queue<>());
            queue.questions
                    .computeIfAbsent(question, unknown -> new ArrayList<>(1))
                    .add(new Caller<>(answer, isGone, System.nanoTime()));
            queue.callers++;
            callers++;
            if (callers > limits.waiting()) {
                refuseOne();
            }
            if (isEnough()) {
                askNext();
            } else if (running == 0 && !isDue) {
                isDue = true;
                context.runOnContext(arrived -> askDue()); // after everything else that has arrived with it
            }
            return answer.future();
        }

        private boolean isEnough() {
            return running < 2 && callers >= limits.enough();
        }

        private void askDue() {
            isDue = false;
            if (running == 0) {
                askNext();
            }
        }

        /**
         * Refuses a caller of the project with the most callers, and there of the question with the most, so that a
         * repeated question is refused first.
         */
        private void refuseOne() {
            var project = Collections.max(
                            waiting.entrySet(), Comparator.comparingInt(entry -> entry.getValue().callers))
                    .getKey();
            var queue = Objects.requireNonNull(waiting.get(project));
            Map.@Nullable Entry<Q, List<Caller<A>>> most = null;
            for (var entry : queue.questions.entrySet()) {
                if (most == null || entry.getValue().size() >= most.getValue().size()) {
                    most = entry;
                }
            }
            var refused = Objects.requireNonNull(most).getValue();
            var caller = refused.remove(refused.size() - 1);
            if (refused.isEmpty()) {
                queue.questions.remove(most.getKey());
            }
            if (queue.questions.isEmpty()) {
                waiting.remove(project);
            }
            queue.callers--;
            callers--;
            caller.answer().fail(busy());
        }

        private static ApiException busy() {
            return ApiException.of(ErrorCode.UNAVAILABLE, "The service is busy. Try again in a moment.", RETRY_AFTER);
        }

        private void askNext() {
            var next = take();
            if (next.isEmpty()) {
                return;
            }
            running++;
            var questions = List.copyOf(next.keySet());
            ask(questions, next).onComplete(answers -> {
                if (answers.succeeded()) {
                    end(questions); // before answering, so that the database does not wait for this loop
                    for (var i = 0; i < questions.size(); i++) {
                        var given = answers.result().get(i);
                        Objects.requireNonNull(next.get(questions.get(i)))
                                .forEach(caller -> caller.answer().complete(given));
                    }
                } else if (questions.size() > 1 && !SqlFailures.isUnavailability(answers.cause())) {
                    askAlone(questions, next).onComplete(asked -> context.runOnContext(ended -> end(questions)));
                } else {
                    next.values()
                            .forEach(
                                    all -> all.forEach(caller -> caller.answer().fail(answers.cause())));
                    context.runOnContext(failed -> end(questions));
                }
            });
        }

        /** The statement with these questions has ended; others may have waited for it. */
        private void end(List<Q> questions) {
            running--;
            questions.forEach(question -> rowsAsked.remove(question.row()));
            if (running == 0 || isEnough()) {
                askNext();
            }
        }

        private Future<?> askAlone(List<Q> questions, Map<Q, List<Caller<A>>> next) {
            return Future.join(questions.stream()
                    .map(question -> ask(List.of(question), next).onComplete(answers -> {
                        for (var caller : Objects.requireNonNull(next.get(question))) {
                            if (answers.succeeded()) {
                                caller.answer().complete(answers.result().get(0));
                            } else {
                                caller.answer().fail(answers.cause());
                            }
                        }
                    }))
                    .toList());
        }

        /**
         * Also catches what the statement throws. It runs on this loop's context; otherwise the timeout would fire on
         * another thread.
         */
        private Future<List<A>> ask(List<Q> questions, Map<Q, List<Caller<A>>> next) {
            var place = tracer == null ? context : tracer.onBehalfOf(contexts(questions, next), context);
            if (!shard.isHome()) {
                new Entered(shard, null).put(place);
            }
            return place.succeededFuture(questions)
                    .compose(statement)
                    .timeout(limits.time().toMillis(), TimeUnit.MILLISECONDS);
        }

        private static <Q, A> List<ContextInternal> contexts(List<Q> questions, Map<Q, List<Caller<A>>> next) {
            return questions.stream()
                    .flatMap(question -> Objects.requireNonNull(next.get(question)).stream())
                    .map(caller -> ((PromiseInternal<A>) caller.answer()).context())
                    .toList();
        }

        /**
         * Takes one question of each project in turn, until the statement is full or no question about another row is
         * left.
         */
        private Map<Q, List<Caller<A>>> take() {
            Map<Q, List<Caller<A>>> taken = new LinkedHashMap<>();
            var exhausted = new HashSet<Object>();
            while (taken.size() < limits.batchSize() && waiting.size() > exhausted.size()) {
                var project = waiting.keySet().iterator().next();
                var queue = Objects.requireNonNull(waiting.remove(project));
                if (!takeOne(queue, taken)) {
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

        private boolean takeOne(Queue<Q, A> queue, Map<Q, List<Caller<A>>> taken) {
            for (var entries = queue.questions.entrySet().iterator(); entries.hasNext(); ) {
                var entry = entries.next();
                if (rowsAsked.contains(entry.getKey().row())) {
                    continue;
                }
                entries.remove();
                queue.callers -= entry.getValue().size();
                callers -= entry.getValue().size();
                entry.getValue().removeIf(this::isNotServed);
                if (!entry.getValue().isEmpty()) {
                    rowsAsked.add(entry.getKey().row());
                    taken.put(entry.getKey(), entry.getValue());
                    return true;
                }
            }
            return false;
        }

        /**
         * A caller that has waited too long behind slow statements is refused, just like one that waits for a
         * connection.
         */
        private boolean isNotServed(Caller<A> caller) {
            if (caller.isGone().getAsBoolean()) {
                caller.answer().fail(new HttpClosedException("The client waits for no answer any more"));
                return true;
            }
            var isLate =
                    System.nanoTime() - caller.since() > limits.longestWait().toNanos();
            if (isLate) {
                caller.answer().fail(busy());
            }
            return isLate;
        }
    }
}
