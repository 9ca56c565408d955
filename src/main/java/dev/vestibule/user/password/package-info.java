/**
 * Which passwords users may set. Whatever sets one reads it by the rule of {@link
 * dev.vestibule.user.password.NewPasswords} and hashes it there; only imported hashes pass unseen.
 *
 * <p>As NIST SP 800-63B advises, there is no rule about kinds of characters. Refused are the most common passwords, by
 * an exact look-up of the whole password after NFKC, in lower case and without blanks around it, and what an attacker
 * tries first for one account: its email, the part of it before the {@code @}, the display name and the project's name,
 * with or without digits at the end. The list is a sorted array of bytes, 390 KB; a Bloom filter would save nothing
 * worth having, and would refuse good passwords with a wrong reason. Where the list comes from stands beside it, in
 * {@code passwords/NOTICE.txt}.
 *
 * <p>The operator can switch on a look-up in Pwned Passwords ({@link dev.vestibule.user.password.BreachedPasswords}).
 * Only the first five digits of a SHA-1 leave the server, and a service that is slow, down or answers nonsense refuses
 * nobody. Its URL is the operator's, so it may lead to a private address, such as a mirror of their own. Imports are not
 * looked up: they would send thousands of requests.
 */
@NullMarked
package dev.vestibule.user.password;

import org.jspecify.annotations.NullMarked;
