/** What a dashboard user does: registers, signs in, keeps projects. */
@NullMarked
package dev.vestibule.management;

import org.jspecify.annotations.NullMarked;
