/**
 * Accounts of dashboard users: registration, login, and the account that the configuration names. What is the same for
 * all users (mailed codes, passwords) has paths of its own under {@code /v1/dashboard/auth}, with the handlers of the
 * public ones: the guard {@code DASHBOARD} sets the built-in project, so there is one code for both, and pages of other
 * origins are kept out.
 *
 * <p>A fresh server belongs to nobody yet, so its first registration must come from this machine ({@link
 * dev.vestibule.http.LocalRequest}) or with the {@link dev.vestibule.authentication.dashboard.SetupCode} that the start
 * prints. A proxy on this machine that adds no header, keeps HTTP/1.1 and names this machine as the host cannot be told
 * from a person at it: such a deployment names its first account in the configuration.
 *
 * <p>An owner can act as a user of the project ({@link dev.vestibule.authentication.dashboard.Impersonations}). Only a person
 * can, never a secret key, so that the audit log names someone; of a user who is not banned, as whom nobody is let in. A
 * project that moves to another server leaves such sessions behind: its owners are others there.
 */
@NullMarked
package dev.vestibule.authentication.dashboard;

import org.jspecify.annotations.NullMarked;
