/**
 * The members of projects: dashboard users who may manage a project as owners, or look at it as viewers. A project always
 * has an owner: changes of members lock the row of the project, so that of two owners who leave at the same time only one
 * can. A membership is read for every request of a dashboard user and not cached, so a removed member is locked out at once.
 */
@NullMarked
package dev.vestibule.project.member;

import org.jspecify.annotations.NullMarked;
