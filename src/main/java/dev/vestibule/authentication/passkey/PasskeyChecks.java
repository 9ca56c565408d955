package dev.vestibule.authentication.passkey;

import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.util.function.Function;

/** Checks signatures on the threads for hashing, since they take too long for an event loop. */
final class PasskeyChecks {
    private final HashingPool workers;
    private final PasskeyVerifier verifier = new PasskeyVerifier();

    PasskeyChecks(HashingPool workers) {
        this.workers = workers;
    }

    <T> Future<T> run(ProjectId project, Function<PasskeyVerifier, T> check) {
        return workers.run(project.value(), JobLength.SHORT, () -> check.apply(verifier));
    }
}
