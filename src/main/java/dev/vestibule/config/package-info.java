/**
 * The one place that reads files, variables and arguments, and turns them into checked {@link
 * dev.vestibule.config.Settings}.
 *
 * <p>A setting is declared where it is read: one line in its group's {@code read} gives its name, type, default and
 * meaning, and drives both sources, the errors and the test that holds {@code config/vestibule.yaml} against the code.
 */
@NullMarked
package dev.vestibule.config;

import org.jspecify.annotations.NullMarked;
