/**
 * What an administrator of the server sees without being a member: all projects, the nodes, their health, what waits,
 * and the settings. The configuration alone names administrators ({@link dev.vestibule.access.Administrators}).
 *
 * <p>Administrating is no membership: none of these operations reads a project's users or changes its settings, and no
 * other operation asks whether somebody administrates. The way in is
 * {@link dev.vestibule.project.administration.Adoption}: a project that has lost its last owner, whose account is gone,
 * gets a new one. It is refused as long as any owner is left, and the project's own audit log tells of it.
 *
 * <p>Each node writes a row about itself every few seconds ({@link dev.vestibule.project.administration.NodeReports}),
 * so that any of them can answer for all. The table {@code nodes} of claims does not do: a node has a name there only
 * while it holds claims, and another one after every pause. The settings are those of the node that answers.
 */
@NullMarked
package dev.vestibule.project.administration;

import org.jspecify.annotations.NullMarked;
