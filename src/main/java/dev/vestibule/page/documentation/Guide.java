package dev.vestibule.page.documentation;

import java.util.List;

/** A guide as a page shows it: its title, its sections, and its text below the title as HTML. */
public record Guide(String slug, String title, List<Section> sections, String html) {
    /** A part of a guide, by its heading. */
    public record Section(String anchor, String title) {}

    /** Where it is, from the page that the others begin from. */
    public String path() {
        return slug.equals(Guides.START) ? "" : slug + "/";
    }
}
