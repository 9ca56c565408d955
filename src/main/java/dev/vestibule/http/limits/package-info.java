/**
 * Rate limits for client addresses.
 *
 * <p>They are counted in memory, separately on each node: behind a load balancer the effective limit is that of one
 * node times the number of nodes. Only the lock after failed sign ins is shared by all nodes, because it protects an
 * account; it is in {@code authentication}. The number of addresses counted at once is bounded by
 * {@code limits.maxTracked}.
 */
@NullMarked
package dev.vestibule.http.limits;

import org.jspecify.annotations.NullMarked;
