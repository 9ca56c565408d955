package dev.vestibule.project.branding;

import dev.vestibule.access.Auditor;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectChanges;

/** The operations on a project's branding, for one event loop. */
public record BrandingHandlers(
        GetBrandingHandler get, GetProjectBrandingHandler getOfProject, UpdateBrandingHandler update) {
    /** Logos are checked on the hashing pool's threads, since a large one would hold up the event loop. */
    public BrandingHandlers(
            Database database, BrandingCache cache, ProjectChanges changes, HashingPool workers, Auditor audit) {
        this(
                new GetBrandingHandler(database, cache),
                new GetProjectBrandingHandler(database, new BrandingStore()),
                new UpdateBrandingHandler(workers, changes, new BrandingStore(), audit));
    }
}
