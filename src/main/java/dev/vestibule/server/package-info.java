/** The routes page and the verticles that serve it. */
@NullMarked
package dev.vestibule.server;

import org.jspecify.annotations.NullMarked;
