/**
 * What happened in a project: {@code event} has what webhooks deliver, {@code audit} the log that its owners read. Both
 * are written in the transaction of the change.
 */
@NullMarked
package dev.vestibule.journal;

import org.jspecify.annotations.NullMarked;
