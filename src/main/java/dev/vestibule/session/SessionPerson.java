package dev.vestibule.session;

import dev.vestibule.user.User;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The user to whom the tokens of a session are issued, and what the tokens say about them.
 *
 * @param authentication when and how the user signed in
 * @param organization null if the tokens are for none, or the user is no longer a member
 */
public record SessionPerson(
        Authentication authentication, User user, @Nullable SessionOrganization organization) {
    /**
     * The organization that the tokens of a session are for, and the user's role in it.
     *
     * @param tokenId of the membership with this role, by which its tokens are revoked
     */
    public record SessionOrganization(UUID id, String slug, String role, UUID tokenId) {}

    public SessionPerson(Authentication authentication, User user) {
        this(authentication, user, null);
    }

    public SessionPerson with(Authentication renewed) {
        return new SessionPerson(renewed, user, organization);
    }
}
