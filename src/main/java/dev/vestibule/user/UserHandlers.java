package dev.vestibule.user;

import dev.vestibule.user.exports.ExportUsersHandler;
import dev.vestibule.user.imports.ImportUsersHandler;

/** The operations on users, for one event loop. */
public record UserHandlers(
        ListUsersHandler list,
        ListBackendUsersHandler listForBackend,
        CreateUserHandler create,
        ImportUsersHandler importMany,
        ExportUsersHandler export,
        GetUserHandler get,
        GetUserByExternalIdHandler getByExternalId,
        UpdateUserHandler update,
        DeleteUserHandler delete,
        BanUserHandler ban,
        UnbanUserHandler unban,
        BanBackendUserHandler banForBackend,
        UnbanBackendUserHandler unbanForBackend,
        UnlockUserHandler unlock) {}
