/**
 * Accounts of dashboard users: registration, login, and the account that the configuration names. Operations that are
 * the same for all users (mailed codes, passwords) have their own paths under {@code /v1/dashboard/auth}, with the
 * handlers of the public ones: the guard {@code DASHBOARD} sets the built-in project, so both share the code, and pages
 * of other origins are refused.
 *
 * <p>A fresh server belongs to nobody yet, so its first registration must come from this machine
 * ({@link dev.vestibule.http.LocalRequest}) or bring the {@link dev.vestibule.authentication.dashboard.SetupCode} that
 * the server prints when it starts. A proxy on this machine that adds no header, keeps HTTP/1.1 and names this machine
 * as the host cannot be told from a person at it: a deployment with such a proxy names its first account in the
 * configuration.
 *
 * <p>An owner can act as a user of the project ({@link dev.vestibule.authentication.dashboard.Impersonations}). Only a
 * person can, never a secret key, so that the audit log names someone; and never as a banned user, who cannot sign in
 * either. These sessions stay behind when a project moves to another server, since it has other owners there.
 */
@NullMarked
package dev.vestibule.authentication.dashboard;

import org.jspecify.annotations.NullMarked;
