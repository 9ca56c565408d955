/**
 * Rate limits for client addresses.
 *
 * <p>They are counted in memory, on each node by itself: behind a load balancer the effective limit is that of one node
 * times the number of nodes. Only the lock after failed sign ins is shared by all nodes, because it protects an account;
 * it lives in {@code authentication}. The number of addresses counted at once is bounded by {@code limits.maxTracked}.
 */
@NullMarked
package dev.vestibule.limits;

import org.jspecify.annotations.NullMarked;
