/** The two doors to PostgreSQL, its migrations, its change feed, and the embedded server. */
@NullMarked
package dev.vestibule.database;

import org.jspecify.annotations.NullMarked;
