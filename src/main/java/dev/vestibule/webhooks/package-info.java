/** What owners and servers of a project do with its webhook endpoints, and see of their deliveries. */
@NullMarked
package dev.vestibule.webhooks;

import org.jspecify.annotations.NullMarked;
