/**
 * Password hashing on its own bounded pool, random secrets, keyed hashes, and encryption at rest.
 *
 * <p>All keys are derived from the operator's master secret, one for each purpose, and none is in the database. So
 * nobody can forge a refresh token or open a sealed value with a copy of the database. The master secret can rotate:
 * {@link dev.vestibule.crypto.Sealer} writes the key's id into each value, and {@link dev.vestibule.crypto.KeyedHash}
 * tries the previous keys too.
 *
 * <p>The setting {@code secret} has always meant the bytes of its text, even if the text is base64, as from
 * {@code openssl rand -base64 32}. The secret file of an embedded database has always been decoded. To make the file's
 * text work as a setting, a text that is 32 bytes or more in base64 gives the keys of both readings
 * ({@link dev.vestibule.crypto.MasterSecret}); new values are sealed with the reading that the setting or the file has
 * always had. Both readings have the same entropy, and neither key is in the database, so this helps nobody who does
 * not have the secret. Values that the other reading sealed stay unchanged until the secret becomes a previous one.
 *
 * <p>A password hash deliberately takes 10 to 20 ms of a core. {@link dev.vestibule.crypto.HashingPool} keeps that work
 * off the event loops, with as many threads as cores and a bounded queue; a sign in that does not fit gets a 503, and
 * other requests continue. Projects take turns according to the time that they have used
 * ({@link dev.vestibule.crypto.FairQueue}), and a project that fills the queue is the one that is refused. Hashes of
 * other systems may take many times as long, so when they hold all threads, one extra thread serves the usual ones.
 *
 * <p>Some hashes of other systems take much memory, scrypt on the heap and Argon2 outside it, and anyone who knows an
 * email can cause one to be computed. So concurrent hashes never take more than their budgets
 * ({@link dev.vestibule.crypto.foreign.HashMemory}; {@code passwords.heapBudget} and {@code passwords.nativeBudget}),
 * which are derived from the memory of the process: the rest wait in the queue, without a thread. A hash that does not
 * fit in the budgets is not imported. If a node with more memory has already stored one, its sign ins get a 503 here,
 * and so does every other failed sign in of that project; otherwise the difference would reveal which emails were
 * imported. These attempts count as failed, because guesses must not be free.
 *
 * <p>Every failed sign in takes the same time, so that time does not reveal who has an account. In a project with
 * imported hashes it takes as long as the most expensive of them, mostly waiting on a timer. An import records that
 * hash before it creates users. For hashes that were imported before servers recorded it, run the same import again,
 * which changes no user. The record stays when the hash is replaced: finding the next most expensive one would mean
 * reading all users.
 *
 * <p>argon2-jvm (C behind JNA) makes 117 hashes a second on two cores, Bouncy Castle 83. ES256 on Java 17 signs 2,780
 * times and verifies 1,460 times a second on one thread; with the Amazon Corretto Crypto Provider, 76,000 and 26,000
 * times. So {@link dev.vestibule.crypto.SignatureProvider} installs that provider where it loads.
 */
@NullMarked
package dev.vestibule.crypto;

import org.jspecify.annotations.NullMarked;
