package dev.vestibule.project.administration;

import dev.vestibule.access.Floor;

/** Builds what administrators of the server see and do. */
public final class AdministrationModule {
    /** What this node says of itself; maintenance sends it regularly. */
    public final NodeReports reports;
    /** All projects, with or without members. */
    public final AllProjectsHandler projects;
    /** The nodes, their health and their settings. */
    public final ServerStateHandler state;

    public AdministrationModule(Floor floor) {
        var database = floor.database();
        this.reports = new NodeReports(floor.feed(), floor.workers(), floor.clock());
        this.projects = new AllProjectsHandler(database, floor.clock());
        this.state = new ServerStateHandler(database, reports, floor.feed(), floor.settings());
    }
}
