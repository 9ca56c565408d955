package dev.vestibule.user;

import java.util.List;

/** A user with the names of the identity providers that are linked to it, in the order in which they were linked. */
public record LinkedUser(ManagedUser managed, List<String> providers) {
    public LinkedUser {
        providers = List.copyOf(providers);
    }

    public User user() {
        return managed.user();
    }
}
