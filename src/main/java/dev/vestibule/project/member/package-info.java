/** The dashboard users who may manage a project, and their roles. */
@NullMarked
package dev.vestibule.project.member;

import org.jspecify.annotations.NullMarked;
