package dev.vestibule.session;

import dev.vestibule.journal.Subject;
import dev.vestibule.journal.Target;
import dev.vestibule.project.ProjectId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A grant that ends after its session has expired, so that no event of a session tells of it.
 *
 * @param isTold whether the client learns of it: once, however many grants it has
 */
record OutlivedSession(ProjectId projectId, GrantData grant, boolean isTold) implements Subject {
    @Override
    public Target target() {
        return Target.NONE;
    }

    @Override
    public Map<String, Object> data() {
        return Map.of("grant", grant);
    }

    @Override
    public @Nullable String toldClient() {
        return isTold ? grant.clientId() : null;
    }
}
