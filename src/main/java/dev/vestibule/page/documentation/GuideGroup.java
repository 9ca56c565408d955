package dev.vestibule.page.documentation;

import java.util.List;

/** Guides that stand together in the menu, under a heading; that of the start page is empty. */
public record GuideGroup(String title, List<Guide> guides) {}
