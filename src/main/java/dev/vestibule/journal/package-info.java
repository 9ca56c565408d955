/**
 * What happened in a project. {@link dev.vestibule.journal.Fact} lists everything that is recorded, and what follows
 * from each: the entry of the audit log, the event for webhooks, the mail to the person, the count in the statistics.
 *
 * <p>A fact is recorded once, with {@link dev.vestibule.journal.Trail#record} in the transaction of the change: one
 * statement writes the entry and the events, so a fact costs the same however many learn of it, and neither exists
 * without the change. The events of every committed change are delivered, whatever crashes, and those of a rolled-back
 * change are not. An event that no endpoint subscribes to is not stored. A notice is a statement more, since it has a
 * quota and seals its details. What is sent to whom is up to {@code webhook} and {@code mail}.
 *
 * <p>What ends without anybody's doing, such as an expired session, is an event without an entry.
 */
@NullMarked
package dev.vestibule.journal;

import org.jspecify.annotations.NullMarked;
