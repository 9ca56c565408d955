package dev.vestibule.page.documentation;

import java.util.List;

/** A guide for its page: the title, the sections, and the text below the title as HTML. */
public record Guide(String slug, String title, List<Section> sections, String html) {
    /** A section of a guide, with its heading. */
    public record Section(String anchor, String title) {}

    /** Its path, relative to the start page. */
    public String path() {
        return slug.equals(Guides.START) ? "" : slug + "/";
    }
}
