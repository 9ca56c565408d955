/** Request in, reply out: bodies, replies, failures, client addresses; no business word in it. */
@NullMarked
package dev.vestibule.http;

import org.jspecify.annotations.NullMarked;
