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
 * Rejects SVG images that contain active content or load anything. Login pages show a logo as an {@code <img>}, in which
 * browsers run and load nothing, but people may copy it to places where browsers do.
 */
final class SvgCheck extends DefaultHandler {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final String XHTML = "http://www.w3.org/1999/xhtml";
    /** Comparing the attributes of an element takes time that grows with the square of their number. */
    private static final String MAX_ATTRIBUTES = "200";

    /** Set here because Java 17 has no limit of its own; it is the default of Java 24 and later. */
    private static final String MAX_DEPTH = "200";

    private static final Set<String> ACTIVE_ELEMENTS =
            Set.of("script", "foreignobject", "handler", "listener", "iframe", "object", "embed", "audio", "video");
    private static final Set<String> REFERENCE_ATTRIBUTES = Set.of("href", "src");
    private static final Pattern INTERNAL_REFERENCE =
            Pattern.compile("\\s*(?:#.*|data:image/(?:png|jpeg|gif|webp);base64,.*)?", Pattern.DOTALL);
    /** What loads something in CSS, and the backslash, since CSS escapes could hide all of it from a search. */
    private static final Pattern LOADING_CSS = Pattern.compile(
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
            parser.setProperty("jdk.xml.elementAttributeLimit", MAX_ATTRIBUTES);
            parser.setProperty("jdk.xml.maxElementDepth", MAX_DEPTH);
            parser.parse(new InputSource(new ByteArrayInputStream(image)), new SvgCheck());
        } catch (SAXException | IOException malformed) {
            throw new InvalidValueException(
                    "must be an SVG image: well-formed XML without a DOCTYPE, with elements at most 200 levels deep");
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException("every Java platform has this XML parser", impossible);
        }
    }

    @Override
    public void setDocumentLocator(Locator documentLocator) {
        locator = documentLocator;
    }

    @Override
    public void startElement(String namespace, String name, String qualifiedName, Attributes attributes) {
        if (depth++ == 0) {
            checkRoot(namespace, name);
        }
        if (namespace.equals(XHTML) || ACTIVE_ELEMENTS.contains(lower(name))) {
            throw new InvalidValueException("must be an SVG image without <" + name + ">");
        }
        for (int i = 0; i < attributes.getLength(); i++) {
            checkAttribute(lower(attributes.getLocalName(i)), attributes.getURI(i), attributes.getValue(i));
        }
        isInStyle |= lower(name).equals("style");
    }

    /** Demands UTF-8: a browser might read a document in another encoding differently. */
    private void checkRoot(String namespace, String name) {
        if (!namespace.equals(SVG) || !name.equals("svg")) {
            throw new InvalidValueException("must be an SVG image whose root element is svg in the namespace " + SVG);
        }
        if (!(locator instanceof Locator2 declared) || !"UTF-8".equalsIgnoreCase(declared.getEncoding())) {
            throw new InvalidValueException("must be an SVG image in UTF-8");
        }
    }

    private static void checkAttribute(String name, String namespace, String value) {
        if (name.startsWith("on") && namespace.isEmpty()) {
            throw new InvalidValueException("must be an SVG image without event handlers");
        }
        if (name.equals("attributename") && isActiveAttribute(lower(value))) {
            throw new InvalidValueException("must be an SVG image that does not animate references or event handlers");
        }
        var isBase = namespace.equals(XMLConstants.XML_NS_URI) && name.equals("base");
        var isExternal = (isBase || REFERENCE_ATTRIBUTES.contains(name))
                && !INTERNAL_REFERENCE.matcher(value).matches();
        var loads = namespace.isEmpty() && LOADING_CSS.matcher(value).find();
        if (isExternal || loads) {
            throw external();
        }
    }

    private static boolean isActiveAttribute(String attribute) {
        var name = attribute.strip().replaceFirst(".*:", "");
        return name.startsWith("on") || REFERENCE_ATTRIBUTES.contains(name);
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
            if (LOADING_CSS.matcher(style).find()) {
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
                "must be an SVG image without references to anything outside itself, and without backslashes"
                        + " in attributes and styles");
    }

    private static String lower(@Nullable String text) {
        return Objects.requireNonNullElse(text, "").toLowerCase(Locale.ROOT);
    }
}
