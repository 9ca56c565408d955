/** The one configured Jackson mapper, and the reader that turns a JSON object into a record. */
@NullMarked
package dev.vestibule.json;

import org.jspecify.annotations.NullMarked;
