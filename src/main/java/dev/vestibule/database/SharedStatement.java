package dev.vestibule.database;

import dev.vestibule.error.ApiException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
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

/**
 * Asks the database the questions of one event loop together: those that arrive while a statement is under way wait for
 * it and go as the next one, so a lone question waits for nothing, and the more there are, the less each one costs.
 *
 * <p>A statement has at most one question about a row. Equal questions share it and its answer; others about the same row
 * wait for the next one. When more wait than one statement takes, projects take turns. When too many wait, the newest of
 * the project with the most waiting gets a 503. A statement that failed by what one question led to is asked again, each
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

    /** How many questions go together at most, how many may wait, and how long a statement may take. */
    record Limits(int together, int waiting, Duration time) {}

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private record Asker<A>(Promise<A> answer, BooleanSupplier isGone) {}

    private final VertxInternal vertx;
    private final Context context;
    private final Limits limits;
    private final Function<List<Q>, Future<List<A>>> statement;
    private final Map<Object, Map<Q, List<Asker<A>>>> waiting = new LinkedHashMap<>();
    private int askers;
    private boolean isBusy;

    /** For the calling event loop. */
    SharedStatement(VertxInternal vertx, Limits limits, Function<List<Q>, Future<List<A>>> statement) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.limits = limits;
        this.statement = statement;
    }

    /**
     * The answer, on the caller's own context. A question of which all askers are gone before it was sent is not asked,
     * and has no answer.
     */
    public Future<A> ask(Q question, BooleanSupplier isGone) {
        Promise<A> answer = vertx.getOrCreateContext().promise();
        waiting.computeIfAbsent(question.project(), project -> new LinkedHashMap<>())
                .computeIfAbsent(question, unknown -> new ArrayList<>(1))
                .add(new Asker<>(answer, isGone));
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

    private void refuseOne() {
        var most = waiting.values().stream()
                .max(Comparator.comparingInt(SharedStatement::askersOf))
                .orElseThrow();
        var newest = most.keySet().stream().reduce((first, second) -> second).orElseThrow();
        var refused = Objects.requireNonNull(most.get(newest));
        var asker = refused.remove(refused.size() - 1);
        if (refused.isEmpty()) {
            most.remove(newest);
            waiting.values().removeIf(Map::isEmpty);
        }
        askers--;
        asker.answer().fail(ApiException.unavailable("The service is busy. Try again in a moment.", RETRY_AFTER));
    }

    private static int askersOf(Map<?, ? extends List<?>> ofProject) {
        return ofProject.values().stream().mapToInt(List::size).sum();
    }

    private void askNext() {
        var next = take();
        if (next.isEmpty()) {
            isBusy = false;
            return;
        }
        var questions = List.copyOf(next.keySet());
        ask(questions).onComplete(answers -> {
            if (answers.succeeded()) {
                askNext(); // before anybody is answered, so that the database does not wait for this loop
                for (var i = 0; i < questions.size(); i++) {
                    var given = answers.result().get(i);
                    Objects.requireNonNull(next.get(questions.get(i)))
                            .forEach(asker -> asker.answer().complete(given));
                }
            } else if (questions.size() > 1 && !SqlFailures.isUnavailability(answers.cause())) {
                askAlone(questions, next).onComplete(asked -> askNext());
            } else {
                next.values().forEach(all -> all.forEach(asker -> asker.answer().fail(answers.cause())));
                context.runOnContext(failed -> askNext());
            }
        });
    }

    private Future<?> askAlone(List<Q> questions, Map<Q, List<Asker<A>>> next) {
        return Future.join(questions.stream()
                .map(question -> ask(List.of(question)).onComplete(answers -> {
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

    /** Also catches what the statement throws. */
    private Future<List<A>> ask(List<Q> questions) {
        return Future.succeededFuture()
                .compose(ignored -> statement.apply(questions))
                .timeout(limits.time().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** One question of each project in turn, until enough go together or none is left about another row. */
    private Map<Q, List<Asker<A>>> take() {
        Map<Q, List<Asker<A>>> taken = new LinkedHashMap<>();
        var rows = new HashSet<Object>();
        var exhausted = new HashSet<Object>();
        while (taken.size() < limits.together() && waiting.size() > exhausted.size()) {
            var project = waiting.keySet().iterator().next();
            var ofProject = Objects.requireNonNull(waiting.remove(project));
            if (!takeOne(ofProject, rows, taken)) {
                exhausted.add(project);
            }
            if (ofProject.isEmpty()) {
                exhausted.remove(project);
            } else {
                waiting.put(project, ofProject);
            }
        }
        return taken;
    }

    private boolean takeOne(Map<Q, List<Asker<A>>> ofProject, Set<Object> rows, Map<Q, List<Asker<A>>> taken) {
        for (var entries = ofProject.entrySet().iterator(); entries.hasNext(); ) {
            var entry = entries.next();
            if (rows.contains(entry.getKey().row())) {
                continue;
            }
            entries.remove();
            askers -= entry.getValue().size();
            entry.getValue().removeIf(asker -> asker.isGone().getAsBoolean());
            if (!entry.getValue().isEmpty()) {
                rows.add(entry.getKey().row());
                taken.put(entry.getKey(), entry.getValue());
                return true;
            }
        }
        return false;
    }
}
