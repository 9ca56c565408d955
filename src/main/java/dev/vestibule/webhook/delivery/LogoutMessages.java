package dev.vestibule.webhook.delivery;

import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** Writes what a client of the authorization server is told when a session has ended. */
@FunctionalInterface
public interface LogoutMessages {
    /**
     * A form with a token that is fresh and for this attempt only.
     *
     * @param attempt names the attempt
     * @param event the event of the end of the session, as JSON
     */
    Future<Buffer> form(ProjectId project, String client, String attempt, Buffer event);
}
