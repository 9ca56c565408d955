package dev.vestibule.project;

import dev.vestibule.database.Database;
import io.vertx.core.Future;

/** Finds the built-in project, whose users are the dashboard users. */
public final class SystemProject {
    /** Its name in the database, which no endpoint changes. */
    public static final String NAME = "Vestibule";

    private final Database database;
    private final ProjectDirectory projects;

    public SystemProject(Database database, ProjectDirectory projects) {
        this.database = database;
        this.projects = projects;
    }

    public Future<Project> get() {
        return projects.find(database, ProjectId.SYSTEM)
                .map(found -> found.map(CachedProject::project)
                        .orElseThrow(() -> new IllegalStateException("the built-in project is not in the database")));
    }
}
