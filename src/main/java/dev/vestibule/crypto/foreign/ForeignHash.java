package dev.vestibule.crypto.foreign;

/** A password hash that another system made, read in full and within the bounds of what a sign in may cost. */
public interface ForeignHash {
    /** Compares, at the cost that the hash was made with; the password in UTF-8. */
    boolean matches(byte[] password);

    /** Whether comparing takes so much of the heap that two at once are too many. */
    default boolean isLarge() {
        return false;
    }
}
