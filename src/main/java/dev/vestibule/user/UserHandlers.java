package dev.vestibule.user;

import dev.vestibule.user.exports.ExportUsersHandler;
import dev.vestibule.user.imports.ImportUsersHandler;

/** The operations on users, for one event loop. */
public record UserHandlers(
        UserHandler users, UserChangeHandler changes, ImportUsersHandler importMany, ExportUsersHandler export) {}
