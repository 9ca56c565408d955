package dev.vestibule.mail;

import dev.vestibule.journal.NoticeKind;
import dev.vestibule.user.UserId;
import java.time.Instant;

/**
 * What a token can restore: the email of a user before a change, the position of the change, and the notice with the
 * token.
 */
public record Undo(
        UserId user, String oldEmail, boolean oldEmailVerified, int position, Instant requestedAt, NoticeKind notice) {}
