/** How a project's sign-in page looks. */
@NullMarked
package dev.vestibule.project.branding;

import org.jspecify.annotations.NullMarked;
