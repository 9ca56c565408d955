/** What an application's servers do with the sessions of their project's users. */
@NullMarked
package dev.vestibule.sessions;

import org.jspecify.annotations.NullMarked;
