package dev.vestibule.page.documentation;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;

/** A frame around a table, so that a wide table scrolls on a narrow screen and the page does not. */
final class TableFrame extends CustomBlock {
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
