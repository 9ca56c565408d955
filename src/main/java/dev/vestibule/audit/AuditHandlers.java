package dev.vestibule.audit;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.config.ExportSettings;
import dev.vestibule.database.Database;
import dev.vestibule.user.TransferSlots;
import java.time.Clock;

/** The operations on the audit log, for one event loop. */
public record AuditHandlers(ListAuditLogsHandler list, ExportAuditLogsHandler export) {
    public AuditHandlers(
            Database database,
            TransferSlots exports,
            ExportSettings limits,
            DeviceReader devices,
            Auditor audit,
            Clock clock) {
        this(
                new ListAuditLogsHandler(database, new AuditListStore()),
                new ExportAuditLogsHandler(database, new AuditListStore(), exports, limits, devices, audit, clock));
    }
}
