package dev.vestibule.user;

import dev.vestibule.user.exports.ExportUsersHandler;
import dev.vestibule.user.imports.ImportUsersHandler;

/** The operations on users, for one event loop. */
public record UserHandlers(
        ListUsersHandler list,
        CreateUserHandler create,
        ImportUsersHandler importMany,
        ExportUsersHandler export,
        GetUserHandler get,
        UpdateUserHandler update,
        DeleteUserHandler delete,
        BanUserHandler ban,
        UnbanUserHandler unban,
        UnlockUserHandler unlock) {}
