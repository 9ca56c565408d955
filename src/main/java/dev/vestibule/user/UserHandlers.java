package dev.vestibule.user;

import dev.vestibule.user.imports.ImportUsersHandler;

/** The operations on users, for one event loop. */
public record UserHandlers(
        ListUsersHandler list,
        CreateUserHandler create,
        ImportUsersHandler importMany,
        GetUserHandler get,
        UpdateUserHandler update,
        DeleteUserHandler delete,
        BanUserHandler ban,
        UnbanUserHandler unban,
        UnlockUserHandler unlock) {}
