/** Every meter of the server, named once. */
@NullMarked
package dev.vestibule.metrics;

import org.jspecify.annotations.NullMarked;
