/** Requests to addresses that strangers name: they reach public addresses alone, within limits. */
@NullMarked
package dev.vestibule.outbound;

import org.jspecify.annotations.NullMarked;
