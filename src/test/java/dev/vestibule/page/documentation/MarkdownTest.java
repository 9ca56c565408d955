package dev.vestibule.page.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.page.documentation.Guide.Passage;
import dev.vestibule.page.documentation.Guide.Section;
import java.util.List;
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
                .contains("<p>x.mjs</p><pre tabindex=\"0\"><code class=\"language-js\">");
    }

    @Test
    void codeIsMarkedForItsColoursAndEscaped() {
        assertThat(html("```js\nconst a = '<b>' // \"c\"\n```"))
                .contains("<span class=\"keyword\">const</span> a = <span class=\"string\">'&lt;b&gt;'</span> "
                        + "<span class=\"comment\">// &quot;c&quot;</span>\n</code>");
        assertThat(html("```sh\ncurl \"$url\" -d '# no comment' # one\n```"))
                .contains("curl <span class=\"string\">&quot;$url&quot;</span> -d "
                        + "<span class=\"string\">'# no comment'</span> <span class=\"comment\"># one</span>\n");
        assertThat(html("```json\n{\"a\": true}\n```"))
                .contains("{<span class=\"key\">&quot;a&quot;</span>: <span class=\"keyword\">true</span>}");
        assertThat(html("```\n<i>\n```")).contains("<code>&lt;i&gt;\n</code>");
    }

    /** Otherwise readers would see only a part of the code, or wait for a page that never comes. */
    @Test
    void colouringLosesNothing() {
        var code = "it's `open \"never closed' $ ${ /* # <!-- {{ \\".repeat(500);
        for (var language : List.of("sh", "js", "python", "go", "java", "json", "yaml", "html", "nginx", "sql")) {
            var rendered = html("```" + language + "\n" + code + "\n```");
            var shown = rendered.substring(rendered.indexOf("<code"))
                    .replaceAll("<[^>]*>", "")
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\"")
                    .replace("&amp;", "&");
            assertThat(shown.strip()).as(language).isEqualTo(code);
        }
    }

    @Test
    void theSearchLooksThroughTheWordsBelowEachHeading() {
        var guide = markdown.read("webhooks", """
                # Title

                Before the *first* heading,
                and `code`.

                ## First

                | a | b |
                |---|---|
                | c | d |

                - one
                - [two](x.md)

                ```sh
                not this
                ```

                ### Second""");

        assertThat(guide.passages())
                .containsExactly(
                        new Passage("", "Title", "Before the first heading, and code."),
                        new Passage("first", "First", "a b c d one two"),
                        new Passage("second", "Second", ""));
    }
}
