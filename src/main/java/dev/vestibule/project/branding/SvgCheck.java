package dev.vestibule.project.branding;

import dev.vestibule.error.InvalidValueException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.ext.Locator2;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Refuses an SVG image that could do more than be looked at. Login pages show it as an {@code <img>}, where browsers
 * run nothing and load nothing; but people copy it to where they do.
 */
final class SvgCheck extends DefaultHandler {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final String XHTML = "http://www.w3.org/1999/xhtml";
    /** What it takes to compare an element's attributes grows with the square of their number. */
    private static final String MOST_ATTRIBUTES = "200";

    /** Stated, since Java 17 has no limit of its own and Java 24 and later have this one. */
    private static final String DEEPEST = "200";

    private static final Set<String> ACTIVE =
            Set.of("script", "foreignobject", "handler", "listener", "iframe", "object", "embed", "audio", "video");
    private static final Set<String> REFERENCES = Set.of("href", "src");
    private static final Pattern WITHIN =
            Pattern.compile("\\s*(?:#.*|data:image/(?:png|jpeg|gif|webp);base64,.*)?", Pattern.DOTALL);
    /** What loads in CSS, and the backslash, by which all of it can be written so that no search finds it. */
    private static final Pattern LOADS = Pattern.compile(
            "\\\\|@import|image-set\\(|src\\(|url\\((?!\\s*[\"']?\\s*(?:#|data:image/(?:png|jpeg|gif|webp);))",
            Pattern.CASE_INSENSITIVE);

    private final StringBuilder style = new StringBuilder();
    private @Nullable Locator locator;
    private int depth;
    private boolean isInStyle;

    private SvgCheck() {}

    static void check(byte[] image) {
        try {
            var factory = SAXParserFactory.newInstance();
            factory.setNamespaceAware(true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            var parser = factory.newSAXParser();
            parser.setProperty("jdk.xml.elementAttributeLimit", MOST_ATTRIBUTES);
            parser.setProperty("jdk.xml.maxElementDepth", DEEPEST);
            parser.parse(new InputSource(new ByteArrayInputStream(image)), new SvgCheck());
        } catch (SAXException | IOException malformed) {
            throw new InvalidValueException(
                    "must be an SVG image: well-formed XML without a DOCTYPE," + " its elements at most 200 deep");
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException("every Java platform has this XML parser", impossible);
        }
    }

    @Override
    public void setDocumentLocator(Locator given) {
        locator = given;
    }

    @Override
    public void startElement(String namespace, String name, String qualifiedName, Attributes attributes) {
        if (depth++ == 0) {
            checkRoot(namespace, name);
        }
        if (namespace.equals(XHTML) || ACTIVE.contains(lower(name))) {
            throw new InvalidValueException("must be an SVG image without <" + name + ">");
        }
        for (int i = 0; i < attributes.getLength(); i++) {
            checkAttribute(lower(attributes.getLocalName(i)), attributes.getURI(i), attributes.getValue(i));
        }
        isInStyle |= lower(name).equals("style");
    }

    /** A text in another encoding might be another text to a browser. */
    private void checkRoot(String namespace, String name) {
        if (!namespace.equals(SVG) || !name.equals("svg")) {
            throw new InvalidValueException("must be an SVG image, whose root is svg in the namespace " + SVG);
        }
        if (!(locator instanceof Locator2 declared) || !"UTF-8".equalsIgnoreCase(declared.getEncoding())) {
            throw new InvalidValueException("must be an SVG image in UTF-8");
        }
    }

    private static void checkAttribute(String name, String namespace, String value) {
        if (name.startsWith("on") && namespace.isEmpty()) {
            throw new InvalidValueException("must be an SVG image without event handlers");
        }
        if (name.equals("attributename") && animatesBehaviour(lower(value))) {
            throw new InvalidValueException("must be an SVG image that animates no reference or event handler");
        }
        var isBase = namespace.equals(XMLConstants.XML_NS_URI) && name.equals("base");
        var leadsOut =
                (isBase || REFERENCES.contains(name)) && !WITHIN.matcher(value).matches();
        var loads = namespace.isEmpty() && LOADS.matcher(value).find();
        if (leadsOut || loads) {
            throw external();
        }
    }

    private static boolean animatesBehaviour(String attribute) {
        var name = attribute.strip().replaceFirst(".*:", "");
        return name.startsWith("on") || REFERENCES.contains(name);
    }

    @Override
    public void characters(char[] text, int start, int length) {
        if (isInStyle) {
            style.append(text, start, length);
        }
    }

    @Override
    public void endElement(String namespace, String name, String qualifiedName) {
        if (lower(name).equals("style")) {
            isInStyle = false;
            if (LOADS.matcher(style).find()) {
                throw external();
            }
            style.setLength(0);
        }
    }

    @Override
    public void processingInstruction(String target, String data) {
        if (target.equals("xml-stylesheet")) {
            throw external();
        }
    }

    @Override
    public void fatalError(SAXParseException malformed) throws SAXException {
        throw malformed;
    }

    private static InvalidValueException external() {
        return new InvalidValueException(
                "must be an SVG image that refers to nothing outside itself, without a backslash in"
                        + " attributes and styles");
    }

    private static String lower(@Nullable String text) {
        return Objects.requireNonNullElse(text, "").toLowerCase(Locale.ROOT);
    }
}
