/** What an application's servers do with the users of their project. */
@NullMarked
package dev.vestibule.users;

import org.jspecify.annotations.NullMarked;
