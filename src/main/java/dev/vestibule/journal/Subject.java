package dev.vestibule.journal;

import dev.vestibule.project.ProjectId;
import java.util.Map;

/** What an event is about. */
public interface Subject {
    ProjectId projectId();

    /** In the audit log. */
    Target target();

    /** For webhooks: any objects that Jackson can write, by their names in the payload. */
    Map<String, Object> data();
}
