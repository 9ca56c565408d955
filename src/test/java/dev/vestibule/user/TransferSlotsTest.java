package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.ApiException;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TransferSlotsTest {
    private static final ProjectId PROJECT = new ProjectId(new UUID(0, 1));

    private final TransferSlots slots = new TransferSlots("exports", 1, 2);

    private <T> Future<T> during(Supplier<Future<T>> work) {
        return slots.during(PROJECT, Buffer.buffer("network"), work);
    }

    @Test
    void aSlotIsTakenAsLongAsTheWorkGoesOn() {
        var work = Promise.<String>promise();
        var first = during(work::future);
        assertThatThrownBy(() -> during(Future::succeededFuture)).isInstanceOf(ApiException.class);
        work.complete("done");
        assertThat(first.result()).isEqualTo("done");
        assertThat(during(Future::succeededFuture).succeeded()).isTrue();
    }

    @Test
    void aSlotIsFreeAgainWhateverBecomesOfTheWork() {
        var failed = during(() -> Future.failedFuture("it fails"));
        assertThat(failed.failed()).isTrue();
        var thrown = during(() -> {
            throw new IllegalStateException("before it begins");
        });
        assertThat(thrown.failed()).isTrue();
        assertThat(during(Future::succeededFuture).succeeded()).isTrue();
    }
}
