/**
 * The documentation at {@code /docs/}: guides, and the API description in Swagger UI.
 *
 * <p>The guides are the Markdown files of {@code src/main/resources/page/documentation}, which are readable in the
 * repository too; {@link dev.vestibule.page.documentation.Guides} defines their order. They are rendered when the first
 * page is requested, with commonmark-java, which has been maintained for ten years and has no dependencies. HTML in a
 * guide is shown as text. Links between guides name the file, so that they work in the repository, and become links
 * between pages here. {@code GuideSamplesIT} and its neighbours run the fenced code blocks of the guides, and compare
 * the JSON after them with what comes back.
 *
 * <p>The search runs in the browser, in {@link dev.vestibule.page.documentation.SearchIndex an index} of the guides and
 * the API description, which is made when somebody first searches. Code is
 * {@link dev.vestibule.page.documentation.Highlighter highlighted} when the Markdown is rendered.
 */
@NullMarked
package dev.vestibule.page.documentation;

import org.jspecify.annotations.NullMarked;
