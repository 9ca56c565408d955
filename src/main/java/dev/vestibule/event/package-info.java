/** What happens in a project, as webhooks tell of it: written in the transaction of the change that it tells of. */
@NullMarked
package dev.vestibule.event;

import org.jspecify.annotations.NullMarked;
