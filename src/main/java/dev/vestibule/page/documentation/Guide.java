package dev.vestibule.page.documentation;

import java.util.List;

/**
 * A guide for its page: the title, the sections, the text below the title as HTML, and what the search looks through.
 */
public record Guide(String slug, String title, List<Section> sections, String html, List<Passage> passages) {
    /** A section of a guide, with its heading. */
    public record Section(String anchor, String title) {}

    /** The plain text below a heading of a guide, or, with an empty anchor, above the first one. */
    public record Passage(String anchor, String title, String text) {}

    /** Its path, relative to the start page. */
    public String path() {
        return slug.equals(Guides.START) ? "" : slug + "/";
    }
}
