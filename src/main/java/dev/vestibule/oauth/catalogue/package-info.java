/** Which identity providers there are and how they speak, read from {@code providers.yaml}. */
@NullMarked
package dev.vestibule.oauth.catalogue;

import org.jspecify.annotations.NullMarked;
