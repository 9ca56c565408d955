package dev.vestibule.token.revocation;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The requests that wait on this node until something of their project is revoked; a limited number of them. */
final class WaitingReaders implements ChangeFeed.Listener {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** One waiting request. Rearm it before each look at the database, so that what comes after the look wakes it. */
    static final class Reader {
        private final Supplier<Promise<Void>> promises;
        private volatile Promise<Void> woken;
        private volatile boolean isOver;

        private Reader(Supplier<Promise<Void>> promises) {
            this.promises = promises;
            this.woken = promises.get();
        }

        void rearm() {
            woken = promises.get();
        }

        void wake() {
            woken.tryComplete();
        }

        /** It waits no longer. */
        void stop() {
            isOver = true;
            wake();
        }

        boolean isOver() {
            return isOver;
        }

        Future<Void> woken() {
            return woken.future();
        }
    }

    private final int perProject;
    private final int total;
    private final Map<UUID, Set<Reader>> readers = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    WaitingReaders(int perProject, int total) {
        this.perProject = perProject;
        this.total = total;
    }

    /** Adds a reader, which must be {@linkplain #remove removed}; a 503 if too many wait. */
    Reader add(ProjectId project, Supplier<Promise<Void>> promises) {
        var reader = new Reader(promises);
        if (count.incrementAndGet() > total) {
            count.decrementAndGet();
            throw tooMany();
        }
        readers.compute(project.value(), (same, known) -> {
            var all = known == null ? ConcurrentHashMap.<Reader>newKeySet() : known;
            if (all.size() >= perProject) {
                count.decrementAndGet();
                throw tooMany();
            }
            all.add(reader);
            return all;
        });
        return reader;
    }

    void remove(ProjectId project, Reader reader) {
        readers.computeIfPresent(project.value(), (same, all) -> {
            if (all.remove(reader)) {
                count.decrementAndGet();
            }
            return all.isEmpty() ? null : all;
        });
    }

    int size() {
        return count.get();
    }

    @Override
    public void changed(UUID project) {
        // says nothing about sessions
    }

    @Override
    public void changesMissed() {
        tokensRevoked(any -> true);
    }

    @Override
    public void tokensRevoked(Predicate<UUID> projects) {
        readers.forEach((project, all) -> {
            if (projects.test(project)) {
                all.forEach(Reader::wake);
            }
        });
    }

    private static ApiException tooMany() {
        return ApiException.of(ErrorCode.UNAVAILABLE, "Too many requests wait for revocations.", RETRY_AFTER);
    }
}
