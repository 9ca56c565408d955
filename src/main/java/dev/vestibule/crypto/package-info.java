/**
 * Password hashing on its own bounded pool, random secrets, keyed hashes, and encryption at rest.
 *
 * <p>All keys are derived from the operator's master secret, one for each purpose, and none is in the database. So a copy
 * of the database forges no refresh token and opens no sealed value. The master secret can rotate: {@link
 * dev.vestibule.crypto.Sealer} writes the key's id into each value, and {@link dev.vestibule.crypto.KeyedHash} tries the
 * previous keys too.
 *
 * <p>The setting {@code secret} has always been the bytes of its text, also where that is base64, as the output of {@code
 * openssl rand -base64 32} is; and the file that an embedded database keeps its secret in has always been decoded. So
 * that the file's text works as a setting, a text that is 32 bytes or more in base64 gives the keys of both readings
 * ({@link dev.vestibule.crypto.MasterSecret}); new values are sealed with the reading that the place has always had. Both
 * have the same entropy, and neither key is in the database, so this opens nothing to anybody who does not have the
 * secret. Values that the other reading sealed stay as they are until the secret becomes a previous one.
 *
 * <p>A password hash takes 10 to 20 ms of a core on purpose. {@link dev.vestibule.crypto.HashingPool} keeps that away from
 * the event loops, with as many threads as cores and a bounded queue; what does not fit is a 503, and other requests go
 * on. Projects take turns by the time that they used ({@link dev.vestibule.crypto.FairQueue}), and one that fills the queue
 * is the one refused. Hashes of other systems may take many times as long, so when they hold all threads, one more is there
 * for the usual ones.
 *
 * <p>Some hashes of other systems take much memory, scrypt of the heap and Argon2 beside it, and anyone who knows an email
 * can have one computed. So what runs at once never takes more than its budgets ({@link
 * dev.vestibule.crypto.foreign.HashMemory}; {@code passwords.heapBudget} and {@code passwords.nativeBudget}), which are
 * derived from the memory of the process: the rest waits in the queue, without a thread. What fits in no budget is not
 * imported. Where it is stored already, by a node with more memory, its sign ins get a 503; and so does every other failed
 * sign in of that project, which would else tell which emails were imported. They count as failed, or guesses were free.
 *
 * <p>Every failed sign in takes the same time, so that time does not tell who has an account: in a project that has imported
 * hashes, as long as the dearest of them, most of it waiting by a timer. An import notes that hash before it creates users;
 * of hashes that came before servers noted it, the same import run again does, and changes no user. The note stays
 * when the hash is replaced: looking for the next dearest would read all users.
 *
 * <p>argon2-jvm (C behind JNA) makes 117 hashes a second on two cores, Bouncy Castle 83. ES256 on Java 17 signs 2,780
 * times and verifies 1,460 times a second on one thread; with the Amazon Corretto Crypto Provider it is 76,000 and
 * 26,000, so {@link dev.vestibule.crypto.SignatureProvider} installs that one where it loads.
 */
@NullMarked
package dev.vestibule.crypto;

import org.jspecify.annotations.NullMarked;
