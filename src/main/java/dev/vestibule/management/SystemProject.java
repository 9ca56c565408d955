package dev.vestibule.management;

import dev.vestibule.database.Database;
import dev.vestibule.project.KnownProject;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;

/** Finds the built-in project, which every database has. */
public final class SystemProject {
    private final Database database;
    private final ProjectDirectory projects;

    public SystemProject(Database database, ProjectDirectory projects) {
        this.database = database;
        this.projects = projects;
    }

    Future<Project> get() {
        return projects.find(database.reads(), ProjectId.SYSTEM)
                .map(found -> found.map(KnownProject::project)
                        .orElseThrow(() -> new IllegalStateException("the built-in project is not in the database")));
    }
}
