package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Vertx;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangedProjectsTest {
    private final Vertx vertx = Vertx.vertx();
    private final ChangedProjects changed = new ChangedProjects(new ChangeFeed(vertx), () -> {});
    private final UUID one = UUID.randomUUID();
    private final UUID two = UUID.randomUUID();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void aChangeThatComesWhileOthersAreDealtWithIsKept() {
        changed.changed(one);
        var seen = changed.seen();
        changed.changed(two);
        changed.clear(seen);

        assertThat(changed.contains(new ProjectId(one))).isFalse();
        assertThat(changed.contains(new ProjectId(two))).isTrue();
    }

    @Test
    void whereChangesWereMissedAnyProjectMayHaveChanged() {
        changed.changesMissed();
        assertThat(changed.contains(new ProjectId(one))).isTrue();
        var seen = changed.seen();
        changed.changesMissed();
        changed.clear(seen);
        assertThat(changed.contains(new ProjectId(one))).isTrue();
        changed.clear(changed.seen());

        assertThat(changed.contains(new ProjectId(one))).isFalse();
    }
}
