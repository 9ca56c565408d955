/** Accounts of dashboard users: registration, login, and the account that the configuration names. */
@NullMarked
package dev.vestibule.authentication.dashboard;

import org.jspecify.annotations.NullMarked;
