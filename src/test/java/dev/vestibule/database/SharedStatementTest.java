package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.error.ApiException;
import dev.vestibule.fixture.Eventually;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.junit5.VertxExtension;
import io.vertx.sqlclient.ClosedConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class SharedStatementTest {
    private static final int TOGETHER = 4;
    private static final int ENOUGH = 20; // more than can wait
    private static final int WAITING = 10;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);

    private record Named(String project, String row, String text) implements SharedStatement.Question {}

    /** A statement that waits for its answers. */
    private record Asked(List<Named> questions, Promise<List<String>> answers) {
        void answer() {
            answers.complete(questions.stream().map(Asked::answerOf).toList());
        }

        static String answerOf(Named question) {
            return "answer to " + question;
        }

        List<String> rows() {
            return questions.stream().map(Named::row).toList();
        }
    }

    private final List<Asked> statements = new ArrayList<>();
    private Context loop;
    private SharedStatement<Named, String> shared;

    @BeforeEach
    void share(Vertx vertx) {
        loop = vertx.getOrCreateContext();
        share(vertx, LONG, ENOUGH);
    }

    private void share(Vertx vertx, Duration longestWait, int enough) {
        shared = onLoop(() -> new SharedStatement<>(
                (VertxInternal) vertx,
                new SharedStatement.Limits(TOGETHER, enough, WAITING, longestWait, LONG),
                () -> {},
                questions -> {
                    var asked = new Asked(questions, Promise.promise());
                    statements.add(asked);
                    return asked.answers().future();
                }));
    }

    private <T> T onLoop(Supplier<T> work) {
        var done = new CompletableFuture<T>();
        loop.runOnContext(ignored -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException | Error failure) {
                done.completeExceptionally(failure);
            }
        });
        return done.join();
    }

    private List<Future<String>> ask(Named... questions) {
        return onLoop(() -> Arrays.stream(questions)
                .map(question -> shared.ask(question, () -> false))
                .toList());
    }

    private Asked statement(int number) {
        return onLoop(() -> statements.get(number));
    }

    private void answer(int number) {
        onLoop(() -> {
            statements.get(number).answer();
            return true;
        });
    }

    private int count() {
        return onLoop(statements::size);
    }

    private static Named row(String row) {
        return new Named("p", row, "");
    }

    @Test
    void aSingleQuestionDoesNotWait() {
        var answer = ask(row("1")).get(0);
        answer(0);
        assertThat(answer.await()).isEqualTo(Asked.answerOf(row("1")));
    }

    @Test
    void questionsThatArriveDuringAStatementAreSentTogetherNext() {
        ask(row("1"));
        statement(0);
        ask(row("2"));
        var last = ask(row("3")).get(0);
        assertThat(count()).isEqualTo(1);

        answer(0);
        assertThat(statement(1).rows()).containsExactly("2", "3");
        answer(1);
        assertThat(last.await()).isEqualTo(Asked.answerOf(row("3")));
    }

    @Test
    void enoughQuestionsAreASecondStatementBesideTheFirst(Vertx vertx) {
        share(vertx, LONG, 2);
        ask(row("1"));
        statement(0);
        var second = ask(row("2"), row("3")).get(0);
        assertThat(statement(1).rows()).containsExactly("2", "3");
        ask(row("4"), row("5"));
        assertThat(count()).as("statements, of which two run").isEqualTo(2);

        answer(1);
        assertThat(second.await()).isEqualTo(Asked.answerOf(row("2")));
        assertThat(statement(2).rows()).containsExactly("4", "5");
    }

    /** They may lock it: then one would have to wait for the other. */
    @Test
    void twoStatementsNeverAskAboutTheSameRow(Vertx vertx) {
        share(vertx, LONG, 2);
        ask(row("1"));
        statement(0);
        var again = ask(row("1"), row("2")).get(0);
        assertThat(statement(1).rows()).containsExactly("2");

        answer(1);
        assertThat(count()).as("statements").isEqualTo(2);
        answer(0);
        assertThat(statement(2).rows()).containsExactly("1");
        answer(2);
        assertThat(again.await()).isEqualTo(Asked.answerOf(row("1")));
    }

    /** Its data may have changed since, for example through a sign out that was answered in between. */
    @Test
    void aRunningStatementAnswersNoLaterQuestion() {
        var first = ask(row("1")).get(0);
        statement(0);
        var later = ask(row("1")).get(0);
        answer(0);
        assertThat(first.await()).isEqualTo(Asked.answerOf(row("1")));
        assertThat(later.isComplete()).isFalse();
        assertThat(statement(1).rows()).containsExactly("1");
        answer(1);
        assertThat(later.await()).isEqualTo(Asked.answerOf(row("1")));
    }

    @Test
    void equalQuestionsShareAnAnswerAndOthersAboutTheirRowWaitForTheNext() {
        var other = new Named("p", "1", "other");
        var answers = ask(row("1"), other, row("1"), row("2"));
        assertThat(statement(0).rows()).containsExactly("1", "2");
        answer(0);
        assertThat(answers.get(2).await()).isEqualTo(answers.get(0).await());
        assertThat(statement(1).questions()).containsExactly(other);
    }

    @Test
    void projectsTakeTurns() {
        ask(row("first"));
        statement(0);
        ask(row("1"), row("2"), row("3"), row("4"), row("5"), new Named("q", "q1", ""), new Named("q", "q2", ""));
        answer(0);
        assertThat(statement(1).rows()).containsExactly("1", "q1", "2", "q2");
        answer(1);
        assertThat(statement(2).rows()).containsExactly("3", "4", "5");
    }

    @Test
    void theNewestOfTheBusiestProjectIsRefusedWhenTooManyWait() {
        ask(row("first"));
        statement(0);
        var flood = new ArrayList<Future<String>>();
        for (var i = 0; i < WAITING; i++) {
            flood.addAll(ask(row("" + i)));
        }
        var other = ask(new Named("q", "1", "")).get(0);
        assertThat(flood.get(WAITING - 1).cause()).isInstanceOf(ApiException.class);
        assertThat(flood.subList(0, WAITING - 1)).noneMatch(Future::isComplete);
        answer(0);
        answer(1);
        assertThat(other.await()).isEqualTo(Asked.answerOf(new Named("q", "1", "")));
    }

    /** One token in many requests is one question, but still a flood. */
    @Test
    void aFloodOfOneQuestionTakesNoPlaceOfOtherProjects() {
        ask(row("first"));
        statement(0);
        var others = ask(new Named("q", "1", ""), new Named("q", "2", ""), new Named("q", "3", ""));
        var flood = new ArrayList<Future<String>>();
        for (var i = 0; i < WAITING; i++) {
            flood.addAll(ask(row("same")));
        }
        assertThat(flood.stream().filter(Future::failed)).hasSize(others.size());
        answer(0);
        answer(1);
        assertThat(others).allMatch(Future::succeeded);
    }

    @Test
    void aRepeatedQuestionIsRefusedBeforeOthersOfItsProject() {
        ask(row("first"));
        statement(0);
        var flood = new ArrayList<Future<String>>();
        for (var i = 0; i < WAITING; i++) {
            flood.addAll(ask(row("same")));
        }
        var others = ask(row("1"), row("2"));
        assertThat(flood.stream().filter(Future::failed)).hasSize(others.size());
        answer(0);
        answer(1);
        assertThat(others).allMatch(Future::succeeded);
    }

    @Test
    void aQuestionThatWaitedTooLongIsRefusedAndNotAsked(Vertx vertx) {
        share(vertx, SHORT, ENOUGH);
        ask(row("1"));
        statement(0);
        var late = ask(row("2")).get(0);
        var asked = System.nanoTime();
        Eventually.until("the longest wait is over", () -> System.nanoTime() - asked > SHORT.toNanos());
        answer(0);
        ask(row("3"));
        assertThat(statement(1).rows()).containsExactly("3");
        assertThat(late.cause()).isInstanceOf(ApiException.class);
    }

    /** Otherwise two threads would change the waiting questions. */
    @Test
    void afterATimeoutTheNextStatementComesFromTheSameLoop(Vertx vertx) {
        var contexts = new ArrayList<Context>();
        var hanging = onLoop(() -> new SharedStatement<Named, String>(
                (VertxInternal) vertx,
                new SharedStatement.Limits(TOGETHER, ENOUGH, WAITING, LONG, SHORT),
                () -> {},
                questions -> {
                    contexts.add(Vertx.currentContext());
                    return questions.size() > 1
                            ? Future.failedFuture("bad")
                            : Promise.<List<String>>promise().future();
                }));
        var answers = onLoop(() -> List.of(hanging.ask(row("1"), () -> false), hanging.ask(row("2"), () -> false)));
        assertThat(onLoop(() -> hanging.ask(row("3"), () -> false)))
                .satisfies(third -> Eventually.until("it has failed too", third::failed));

        assertThat(answers).allMatch(Future::failed);
        assertThat(onLoop(() -> List.copyOf(contexts))).hasSizeGreaterThan(3).containsOnly(loop);
    }

    @Test
    void aQuestionThatNobodyWaitsForIsNotAsked() {
        ask(row("1"));
        statement(0);
        var alone = onLoop(() -> shared.ask(row("2"), () -> true));
        var beside = onLoop(() -> shared.ask(row("3"), () -> true));
        ask(row("3"));
        answer(0);
        assertThat(statement(1).rows()).containsExactly("3");
        assertThat(List.of(alone, beside))
                .as("work that waits for one of them ends")
                .allMatch(answer -> answer.cause() instanceof HttpClosedException);
    }

    @Test
    void aFailureOfOneQuestionFailsNoOther() {
        var answers = ask(row("1"), row("bad"), row("2"));
        onLoop(() -> statements.get(0).answers().tryFail(new IllegalStateException("bad")));
        assertThat(count()).isEqualTo(4);
        answer(1);
        onLoop(() -> statements.get(2).answers().tryFail(new IllegalStateException("bad")));
        answer(3);
        assertThat(answers.get(0).await()).isEqualTo(Asked.answerOf(row("1")));
        assertThat(answers.get(1).cause()).hasMessage("bad");
        assertThat(answers.get(2).await()).isEqualTo(Asked.answerOf(row("2")));
    }

    @Test
    void aLostConnectionFailsItsQuestionsOnceAndTheNextContinue() {
        var answers = ask(row("1"), row("2"));
        onLoop(() -> statements.get(0).answers().tryFail(ClosedConnectionException.INSTANCE));
        assertThat(answers).allMatch(Future::failed);
        var next = ask(row("3")).get(0);
        assertThat(statement(1).rows()).containsExactly("3");
        answer(1);
        assertThat(next.await()).isEqualTo(Asked.answerOf(row("3")));
    }

    @Test
    void anAnswerArrivesOnItsCallersContext() {
        var callers = ((ContextInternal) loop).duplicate();
        var seen = new CompletableFuture<Context>();
        ask(row("1"));
        statement(0);
        callers.runOnContext(
                ignored -> shared.ask(row("2"), () -> false).onComplete(any -> seen.complete(Vertx.currentContext())));
        ask(row("3"));
        answer(0);
        answer(1);
        assertThat(seen.join()).isSameAs(callers);
    }

    /**
     * Whatever the order of questions, answers and failures, each question gets the answer that it would have got
     * alone.
     */
    @Timeout(60)
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyAnswerIsTheSameAsWithoutBatching(long seed, Vertx vertx) {
        share(vertx, LONG, seed % 2 == 0 ? ENOUGH : 2);
        var random = new Random(seed);
        Map<Future<String>, Named> open = new HashMap<>();
        for (var step = 0; step < 2000; step++) {
            if (random.nextInt(3) > 0 && open.size() < WAITING - 1) {
                var question = new Named(
                        "p" + random.nextInt(3),
                        random.nextInt(10) == 0 ? "bad" : "r" + random.nextInt(6),
                        "t" + random.nextInt(2));
                open.put(ask(question).get(0), question);
            } else {
                answerOne(random);
            }
            open.entrySet().removeIf(asked -> asked.getKey().isComplete() && isRight(asked.getKey(), asked.getValue()));
        }
        while (!open.isEmpty()) {
            answerOne(random);
            open.entrySet().removeIf(asked -> asked.getKey().isComplete() && isRight(asked.getKey(), asked.getValue()));
        }
    }

    private static boolean isRight(Future<String> answer, Named question) {
        if (answer.succeeded()) {
            assertThat(question.row()).isNotEqualTo("bad");
            assertThat(answer.result()).isEqualTo(Asked.answerOf(question));
        } else if (!(answer.cause() instanceof ClosedConnectionException)) {
            assertThat(question.row()).isEqualTo("bad");
        }
        return true;
    }

    private void answerOne(Random random) {
        onLoop(() -> {
            var open = statements.stream()
                    .filter(asked -> !asked.answers().future().isComplete())
                    .toList();
            if (!open.isEmpty()) {
                var one = open.get(random.nextInt(open.size()));
                assertThat(one.questions()).hasSizeLessThanOrEqualTo(TOGETHER);
                assertThat(open.stream().flatMap(asked -> asked.rows().stream()))
                        .doesNotHaveDuplicates();
                if (one.rows().contains("bad")) {
                    one.answers().fail(new IllegalStateException("bad"));
                } else if (random.nextInt(20) == 0) {
                    one.answers().fail(ClosedConnectionException.INSTANCE);
                } else {
                    one.answer();
                }
            }
            return true;
        });
    }
}
