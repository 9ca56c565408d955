package dev.vestibule.project.administration;

import dev.vestibule.access.Floor;

/** Builds what administrators of the server see and do. */
public final class AdministrationModule {
    private final NodeReports reports;
    private final AllProjectsHandler projects;
    private final ServerStateHandler state;

    public AdministrationModule(Floor floor) {
        var database = floor.database();
        this.reports = new NodeReports(floor.feed(), floor.workers(), floor.clock());
        this.projects = new AllProjectsHandler(database, floor.clock());
        this.state = new ServerStateHandler(database, reports, floor.feed(), floor.settings());
    }

    /** All projects, with or without members. */
    public AllProjectsHandler projects() {
        return projects;
    }

    /** The nodes, their health and their settings. */
    public ServerStateHandler state() {
        return state;
    }

    /** What this node says of itself; maintenance sends it regularly. */
    public NodeReports reports() {
        return reports;
    }
}
