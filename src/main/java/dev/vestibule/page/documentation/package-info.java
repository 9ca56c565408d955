/**
 * The documentation at {@code /docs/}: guides, and the API description in Swagger UI.
 *
 * <p>The guides are the Markdown files of {@code src/main/resources/page/documentation}, which read well in the repository
 * too; {@link dev.vestibule.page.documentation.Guides#SLUGS} is their order. They are rendered when the first page is asked
 * for, by commonmark-java, which the maintainers of the specification's Java implementation have kept for ten years, and
 * which has no dependencies. Markup in a guide is shown as text. Links from guide to guide name the file, so that they work
 * in the repository, and become links from page to page here. What a guide shows in a fenced block of a language is run by
 * {@code GuideSamplesIT}.
 */
@NullMarked
package dev.vestibule.page.documentation;

import org.jspecify.annotations.NullMarked;
