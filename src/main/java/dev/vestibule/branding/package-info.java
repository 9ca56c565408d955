/** How a project's login interface looks. */
@NullMarked
package dev.vestibule.branding;

import org.jspecify.annotations.NullMarked;
