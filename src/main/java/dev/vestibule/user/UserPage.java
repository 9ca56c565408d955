package dev.vestibule.user;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A page of users, how many there are on all pages, and whether there are any after it. */
record UserPage(List<ListedUser> listed, long total, boolean hasNext) {
    /** A user, and the time that orders it in lists. */
    record ListedUser(ManagedUser user, Instant listedAt) {}

    /** Builds a page from one user more than fits on it, if there is one. */
    static UserPage of(List<ListedUser> found, long total, int limit) {
        var hasNext = found.size() > limit;
        return new UserPage(hasNext ? found.subList(0, limit) : found, total, hasNext);
    }

    List<ManagedUser> users() {
        return listed.stream().map(ListedUser::user).toList();
    }

    /** Where the next page begins; empty after the last user. */
    Optional<UserCursor> end() {
        if (!hasNext) {
            return Optional.empty();
        }
        var last = listed.get(listed.size() - 1);
        return Optional.of(new UserCursor(last.listedAt(), last.user().user().id()));
    }
}
