package dev.vestibule.page.documentation;

import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;

/** The words of a piece of Markdown on one line, without its blocks of code. */
final class PlainText extends AbstractVisitor {
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private final StringBuilder text = new StringBuilder();

    private PlainText() {}

    static String of(Node node) {
        var visitor = new PlainText();
        node.accept(visitor);
        return SPACES.matcher(visitor.text).replaceAll(" ").strip();
    }

    @Override
    public void visit(Text part) {
        text.append(part.getLiteral());
    }

    @Override
    public void visit(Code part) {
        text.append(part.getLiteral());
    }

    @Override
    public void visit(SoftLineBreak part) {
        text.append(' ');
    }

    @Override
    public void visit(HardLineBreak part) {
        text.append(' ');
    }

    /** A space ends each block, so that the words of two cells or list items stay apart. */
    @Override
    protected void visitChildren(Node parent) {
        super.visitChildren(parent);
        if (!(parent instanceof Emphasis || parent instanceof StrongEmphasis || parent instanceof Link)) {
            text.append(' ');
        }
    }
}
