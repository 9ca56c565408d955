package dev.vestibule.user;

import java.util.List;

/** A user with the names of the identity providers that are linked to it, the first linked first. */
public record LinkedUser(User user, List<String> providers) {
    public LinkedUser {
        providers = List.copyOf(providers);
    }
}
