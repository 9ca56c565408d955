package dev.vestibule.page.documentation;

import java.util.Map;
import java.util.Set;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;

/** Renders a block of code with its file's name above it; the keyboard reaches the block, since it may scroll. */
final class CodeRenderer implements NodeRenderer {
    private static final Map<String, String> LABELS =
            Map.of("sh", "Shell", "js", "JavaScript", "json", "JSON", "html", "HTML", "sql", "SQL", "nginx", "nginx");

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
