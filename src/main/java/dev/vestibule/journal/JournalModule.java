package dev.vestibule.journal;

import dev.vestibule.access.Floor;
import dev.vestibule.database.Database;
import dev.vestibule.journal.audit.AuditLogHandler;
import dev.vestibule.journal.audit.AuditPartitions;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.user.TransferSlots;

/** Builds what writes down what happened: for applications, for owners, and in counts. */
public final class JournalModule {
    private final Floor floor;
    public final Activity activity;
    public final Journal journal;
    public final AuditLog auditLog;
    public final AuditLogHandler operations;

    /** The slots are for exports. */
    public JournalModule(Floor floor, TransferSlots slots) {
        this.floor = floor;
        var settings = floor.settings();
        this.activity = new Activity(settings.statistics(), floor.clock());
        this.auditLog = new AuditLog(settings.audit(), floor.meters().audit, floor.clock());
        this.journal = new Journal(floor.vertx(), auditLog, activity, floor.clock());
        this.operations = new AuditLogHandler(floor.database(), slots, settings.exports(), floor.clock());
    }

    /** The monthly partitions of the audit log. */
    public AuditPartitions partitions(Database database) {
        return new AuditPartitions(database, floor.settings().audit(), floor.clock());
    }
}
