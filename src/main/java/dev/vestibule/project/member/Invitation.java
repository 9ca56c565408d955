package dev.vestibule.project.member;

import dev.vestibule.project.ProjectId;
import java.util.UUID;

/** An invitation of an address to become a member of a project. */
public record Invitation(ProjectId project, UUID id, String email, Role role) {}
