package dev.vestibule.crypto.foreign;

/** A password hash of another system, parsed and within the limits of what a sign in may cost. */
public interface ForeignHash {
    /** Whether the password, in UTF-8, matches; this takes as long as the hash's own parameters demand. */
    boolean matches(byte[] password);

    /** How long verifying takes and how much memory, as far as the parameters tell. */
    HashCost cost();

    /** Throws an {@link dev.vestibule.error.InvalidValueException} if it costs more than an import may bring. */
    void check(HashCeilings ceilings);
}
