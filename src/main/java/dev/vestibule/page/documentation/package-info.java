/**
 * The documentation at {@code /docs/}: guides, and the API description in Swagger UI.
 *
 * <p>The guides are the Markdown files of {@code src/main/resources/page/documentation}, which are readable in the
 * repository too; {@link dev.vestibule.page.documentation.Guides#SLUGS} defines their order. They are rendered when the
 * first page is requested, with commonmark-java, which has been maintained for ten years and has no dependencies. HTML
 * in a guide is shown as text. Links between guides name the file, so that they work in the repository, and become
 * links between pages here. {@code GuideSamplesIT} runs the fenced code blocks of the guides.
 */
@NullMarked
package dev.vestibule.page.documentation;

import org.jspecify.annotations.NullMarked;
