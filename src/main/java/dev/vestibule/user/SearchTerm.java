package dev.vestibule.user;

/**
 * A case-folded term that a list is searched for. A walk from the newest entry on quickly finds a page of a term that
 * many entries have; the trigram index finds one that few have. This class chooses, not the planner, which does not
 * know the term.
 *
 * @param amongNewest how many of the newest 1,000 entries have it
 */
public record SearchTerm(String folded, long amongNewest) {
    private static final int FEW_OF_NEWEST = 5; // of 1,000, so 5,000 of a million users, which the index finds in 20 ms
    private static final int FIRST_BEYOND_ASCII = 128;

    /** Whether to look it up in the trigram index. */
    public boolean isRare() {
        var isIndexed = folded.length() > 1 || folded.codePoints().anyMatch(c -> c >= FIRST_BEYOND_ASCII);
        return isIndexed && amongNewest <= FEW_OF_NEWEST;
    }
}
