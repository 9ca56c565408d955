package dev.vestibule.token.revocation;

import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A position in the feed: what its reader has seen. Between two pages it also says what the first of them could see,
 * since later commits come after all of these, and where the last one ended.
 *
 * @param server the timeline and start time of the server that the snapshots are of
 * @param seen the snapshot of which the reader knows everything
 * @param pages null if the reader has seen all pages
 */
record RevocationCursor(
        String server, String seen, @Nullable Pages pages) {
    /** The snapshot of the pages, and the place of the last row in their order. */
    record Pages(String snapshot, String transaction, String id) {}

    static final RevocationCursor START = new RevocationCursor("", "1:1:", null);

    private static final String SNAPSHOT = "(\\d{1,18}:\\d{1,18}:[\\d,]{0,700})";
    private static final Pattern SHAPE = Pattern.compile("([0-9A-F]{8}-\\d{1,18})~" + SNAPSHOT + "(?:~" + SNAPSHOT
            + "~(\\d{1,18})~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?");

    /** Keeps a cursor short enough for a URL. */
    private static final int MAX_IN_PROGRESS = 32;

    String text() {
        var text = server + "~" + bounded(seen);
        return pages == null
                ? text
                : text + "~" + bounded(pages.snapshot()) + "~" + pages.transaction() + "~" + pages.id();
    }

    /**
     * An earlier snapshot if very many transactions are in progress: its reader sees some rows again, and misses none.
     */
    private static String bounded(String snapshot) {
        var parts = snapshot.split(":", -1);
        return parts[2].split(",", -1).length > MAX_IN_PROGRESS ? parts[0] + ":" + parts[0] + ":" : snapshot;
    }

    static RevocationCursor read(String text) {
        var found = SHAPE.matcher(text);
        if (!found.matches() || !isSnapshot(found.group(2))) {
            throw invalid();
        }
        if (found.group(3) == null) {
            return new RevocationCursor(found.group(1), found.group(2), null);
        }
        if (!isSnapshot(found.group(3))) {
            throw invalid();
        }
        return new RevocationCursor(
                found.group(1), found.group(2), new Pages(found.group(3), found.group(4), found.group(5)));
    }

    /**
     * Whether PostgreSQL can read it: the transactions in progress are in order, from the first number to below the
     * second.
     */
    private static boolean isSnapshot(String text) {
        var parts = text.split(":", -1);
        if (!parts[2].matches("(?:\\d{1,18}(?:,\\d{1,18})*)?")) {
            return false;
        }
        var first = Long.parseLong(parts[0]);
        var next = Long.parseLong(parts[1]);
        var inProgress = parts[2].isEmpty()
                ? new long[0]
                : Arrays.stream(parts[2].split(",", -1))
                        .mapToLong(Long::parseLong)
                        .toArray();
        var last = first - 1;
        for (var transaction : inProgress) {
            if (transaction <= last) {
                return false;
            }
            last = transaction;
        }
        return first > 0 && first <= next && last < next;
    }

    private static InvalidValueException invalid() {
        return new InvalidValueException("must be the cursor of an earlier response");
    }
}
