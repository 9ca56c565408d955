/** Projects, their API keys and their settings, and the directory that caches them. */
@NullMarked
package dev.vestibule.project;

import org.jspecify.annotations.NullMarked;
