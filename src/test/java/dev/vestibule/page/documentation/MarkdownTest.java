package dev.vestibule.page.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.page.documentation.Guide.Section;
import org.junit.jupiter.api.Test;

/** How a guide's Markdown becomes a page. */
class MarkdownTest {
    private final Markdown markdown = new Markdown();

    private String html(String text) {
        return markdown.read("webhooks", text).html();
    }

    @Test
    void htmlIsShownAsText() {
        assertThat(html("a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>"))
                .doesNotContain("<script", "<img")
                .contains("&lt;script&gt;");
    }

    @Test
    void aLinkThatRunsAScriptLeadsNowhere() {
        assertThat(html("[a](javascript:alert(1))")).contains("href=\"\"").doesNotContain("javascript");
    }

    @Test
    void headingsHaveAnchorsAndTheFirstIsTheTitle() {
        var guide = markdown.read("webhooks", "# The `title`\n\n## Go & run\n\n### Go & run\n\n## Last");

        assertThat(guide.title()).isEqualTo("The title");
        assertThat(guide.sections()).containsExactly(new Section("go-run", "Go & run"), new Section("last", "Last"));
        assertThat(guide.html())
                .contains("<h2 id=\"go-run\"><a href=\"#go-run\">Go &amp; run</a></h2>")
                .contains("<h3 id=\"go-run-1\">");
    }

    @Test
    void linksBetweenFilesAreLinksBetweenPages() {
        assertThat(html("[a](migration.md) [b](verify-tokens.md#go) [c](start.md) [d](https://example.com/x.md)"))
                .contains("\"../migration/\"", "\"../verify-tokens/#go\"", "\"../\"", "\"https://example.com/x.md\"");
        assertThat(markdown.read(Guides.START, "[a](migration.md#top)").html()).contains("\"migration/#top\"");
    }

    @Test
    void wideTablesAndCodeCanBeScrolledWithTheKeyboard() {
        assertThat(html("| a |\n|---|\n| b |\n\n```js x.mjs\nlet a\n```"))
                .contains("<div class=\"table\" tabindex=\"0\">\n<table>")
                .contains("<pre tabindex=\"0\"><code class=\"language-js\">");
    }
}
