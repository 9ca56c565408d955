package dev.vestibule.database;

import java.util.UUID;

/** An id with a type of its own, which a statement takes as it is. */
public interface Id {
    UUID value();
}
