package dev.vestibule.audit;

import dev.vestibule.database.Database;

/** The operations on the audit log, for one event loop. */
public record AuditHandlers(ListAuditLogsHandler list) {
    public AuditHandlers(Database database) {
        this(new ListAuditLogsHandler(database, new AuditListStore()));
    }
}
