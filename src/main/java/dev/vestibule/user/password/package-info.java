/**
 * Which passwords users can set. All code that sets a password reads it with the rule of
 * {@link dev.vestibule.user.password.NewPasswords} and hashes it there; only imported hashes are not checked.
 *
 * <p>As NIST SP 800-63B advises, there is no rule about kinds of characters. The server refuses the most common
 * passwords, with an exact look-up of the whole password after NFKC, in lower case and without surrounding blanks. It
 * also refuses what an attacker tries first for one account: its email, the part of it before the {@code @}, the
 * display name and the project's name, with or without digits at the end. The list is a sorted array of bytes, 390 KB;
 * a Bloom filter would save too little, and would refuse good passwords for a wrong reason. The source of the list is
 * documented next to it, in {@code passwords/NOTICE.txt}.
 *
 * <p>The operator can enable a look-up in Pwned Passwords ({@link dev.vestibule.user.password.BreachedPasswords}). Only
 * the first five digits of a SHA-1 leave the server, and a service that is slow, down or sends garbage causes no
 * refusals. The operator sets its URL, so it can lead to a private address, such as their own mirror. Imports are not
 * looked up: they would send thousands of requests.
 */
@NullMarked
package dev.vestibule.user.password;

import org.jspecify.annotations.NullMarked;
