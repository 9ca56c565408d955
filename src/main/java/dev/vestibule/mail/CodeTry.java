package dev.vestibule.mail;

import dev.vestibule.project.ProjectId;
import io.vertx.core.buffer.Buffer;

/** Who tried a code: for which address or number, from which network; both as keyed hashes. */
public record CodeTry(ProjectId project, Buffer account, Buffer network) {}
