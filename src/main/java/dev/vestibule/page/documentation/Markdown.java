package dev.vestibule.page.documentation;

import dev.vestibule.json.UnicodeText;
import dev.vestibule.page.documentation.Guide.Passage;
import dev.vestibule.page.documentation.Guide.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;

/** Renders a guide's Markdown for its page: headings have anchors, and wide tables and code scroll separately. */
final class Markdown {
    private static final Pattern OTHER_GUIDE = Pattern.compile("(?<![a-z-])([a-z-]++)\\.md(#[a-z0-9-]++)?");
    private static final Pattern NO_ANCHOR = Pattern.compile("[^a-z0-9]+");

    private final Parser parser =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();

    Guide read(String slug, String markdown) {
        var document = parser.parse(markdown);
        var headings = new Headings();
        document.accept(headings);
        document.accept(new Links(slug));
        frameTables(document);
        return new Guide(
                slug,
                headings.title,
                List.copyOf(headings.sections),
                renderer(headings.anchors).render(document),
                passages(document, headings));
    }

    /** The words of a text, without its blocks of code. */
    String plain(String markdown) {
        return PlainText.of(parser.parse(markdown));
    }

    private static List<Passage> passages(Node document, Headings headings) {
        var passages = new ArrayList<Passage>();
        var anchor = "";
        var title = headings.title;
        var text = new StringBuilder();
        for (var block = document.getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading) {
                passages.add(new Passage(anchor, title, text.toString().strip()));
                anchor = headings.anchors.getOrDefault(block, "");
                title = PlainText.of(block);
                text.setLength(0);
            } else {
                text.append(PlainText.of(block)).append(' ');
            }
        }
        passages.add(new Passage(anchor, title, text.toString().strip()));
        return List.copyOf(passages);
    }

    private static HtmlRenderer renderer(Map<Node, String> anchors) {
        return HtmlRenderer.builder()
                .extensions(List.of(TablesExtension.create()))
                .escapeHtml(true)
                .sanitizeUrls(true)
                .attributeProviderFactory(context -> attributes(anchors))
                .nodeRendererFactory(TableFrame.Renderer::new)
                .nodeRendererFactory(CodeRenderer::new)
                .build();
    }

    private static AttributeProvider attributes(Map<Node, String> anchors) {
        return (node, tag, attributes) -> {
            var anchor = anchors.get(node);
            if (anchor != null) {
                attributes.put("id", anchor);
            }
            // The guides are our own, so their links need no rel="nofollow".
            attributes.remove("rel");
        };
    }

    private static void frameTables(Node document) {
        var tables = new ArrayList<Node>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(CustomBlock block) {
                if (block instanceof TableBlock) {
                    tables.add(block);
                }
            }
        });
        for (var table : tables) {
            var frame = new TableFrame();
            table.insertBefore(frame);
            frame.appendChild(table);
        }
    }

    /** Gives each heading except the title an anchor, and makes it a link to itself. */
    private static final class Headings extends AbstractVisitor {
        private final Map<Node, String> anchors = new HashMap<>();
        private final Set<String> taken = new HashSet<>();
        private final List<Section> sections = new ArrayList<>();
        private String title = "";

        @Override
        public void visit(Heading heading) {
            var text = PlainText.of(heading);
            if (heading.getLevel() == 1) {
                title = text;
                heading.unlink();
                return;
            }
            var anchor = anchor(text);
            anchors.put(heading, anchor);
            if (heading.getLevel() == 2) {
                sections.add(new Section(anchor, text));
            }
            var link = new Link("#" + anchor, null);
            while (heading.getFirstChild() != null) {
                link.appendChild(heading.getFirstChild());
            }
            heading.appendChild(link);
        }

        private String anchor(String text) {
            var stem = NO_ANCHOR
                    .matcher(UnicodeText.lowerAscii(text))
                    .replaceAll(" ")
                    .strip()
                    .replace(' ', '-');
            var anchor = stem;
            for (var number = 1; !taken.add(anchor); number++) {
                anchor = stem + "-" + number;
            }
            return anchor;
        }
    }

    /** Turns links to neighbouring files into links to neighbouring pages. */
    private static final class Links extends AbstractVisitor {
        private final String toPages;

        Links(String slug) {
            toPages = slug.equals(Guides.START) ? "" : "../";
        }

        @Override
        public void visit(Link link) {
            var guide = OTHER_GUIDE.matcher(link.getDestination());
            if (guide.matches()) {
                var anchor = guide.group(2) == null ? "" : guide.group(2);
                link.setDestination(
                        toPages + (guide.group(1).equals(Guides.START) ? "" : guide.group(1) + "/") + anchor);
            }
            visitChildren(link);
        }
    }

    /** Renders a block of code with its file's name above it; the keyboard reaches the block, since it may scroll. */
    private static final class CodeRenderer implements NodeRenderer {
        private static final Map<String, String> LABELS = Map.of(
                "sh", "Shell", "js", "JavaScript", "json", "JSON", "html", "HTML", "sql", "SQL", "nginx", "nginx");

        private final HtmlNodeRendererContext context;

        CodeRenderer(HtmlNodeRendererContext context) {
            this.context = context;
        }

        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(FencedCodeBlock.class);
        }

        @Override
        public void render(Node node) {
            var block = (FencedCodeBlock) node;
            var info = (block.getInfo() == null ? "" : block.getInfo()).split(" ", 2);
            var language = info[0];
            var html = context.getWriter();
            html.line();
            html.tag("div", Map.of("class", "code"));
            html.tag("p");
            html.text(info.length > 1 ? info[1] : LABELS.getOrDefault(language, "Code"));
            html.tag("/p");
            html.tag("pre", Map.of("tabindex", "0"));
            html.tag("code", language.isEmpty() ? Map.of() : Map.of("class", "language-" + language));
            Highlighter.write(html, language, block.getLiteral());
            html.tag("/code");
            html.tag("/pre");
            html.tag("/div");
            html.line();
        }
    }

    /** A frame around a table, so that a wide table scrolls on a narrow screen and the page does not. */
    private static final class TableFrame extends CustomBlock {
        private static final Map<String, String> ATTRIBUTES = new TreeMap<>(Map.of("class", "table", "tabindex", "0"));

        static final class Renderer implements NodeRenderer {
            private final HtmlNodeRendererContext context;

            Renderer(HtmlNodeRendererContext context) {
                this.context = context;
            }

            @Override
            public Set<Class<? extends Node>> getNodeTypes() {
                return Set.of(TableFrame.class);
            }

            @Override
            public void render(Node node) {
                var html = context.getWriter();
                html.line();
                html.tag("div", ATTRIBUTES);
                for (var child = node.getFirstChild(); child != null; child = child.getNext()) {
                    context.render(child);
                }
                html.tag("/div");
                html.line();
            }
        }
    }
}
