package dev.vestibule.project.branding;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.UnicodeText;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.MissingResourceException;
import java.util.Objects;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Rejects SVG images that contain active content or load anything. Login pages show a logo as an {@code <img>}, where
 * browsers run and load nothing, but people may copy it to places where browsers do.
 *
 * <p>The JDK's StAX parser reads the image without DTDs or entities, and the check looks at each text once, from
 * beginning to end, so the time is linear in the number of bytes. The limits on elements, attributes and namespaces
 * exist because the parser itself compares these with each other.
 */
final class SvgCheck {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final String XHTML = "http://www.w3.org/1999/xhtml";
    private static final String XML_1_0 = "1.0";
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private static final int MAX_ATTRIBUTES = 200;
    private static final int MAX_DEPTH = 200;
    private static final int MAX_ELEMENTS = 20_000;
    /** The limit of the whole image: the parser searches each name among all namespaces in scope. */
    private static final int MAX_NAMESPACES = 200;

    private static final Set<String> ACTIVE_ELEMENTS =
            Set.of("script", "foreignobject", "handler", "listener", "iframe", "object", "embed", "audio", "video");
    private static final Set<String> REFERENCE_ATTRIBUTES = Set.of("href", "src");

    private final XMLStreamReader image;
    private final StringBuilder style = new StringBuilder();
    private int depth;
    private int elements;
    private int namespaces;
    private boolean isInStyle;

    private SvgCheck(XMLStreamReader image) {
        this.image = image;
    }

    static void check(byte[] image) {
        try {
            var reader = factory().createXMLStreamReader(new StringReader(text(image)));
            try {
                new SvgCheck(reader).check();
            } finally {
                reader.close();
            }
        } catch (XMLStreamException | CharacterCodingException | MissingResourceException malformed) {
            throw malformed(); // the JDK lacks the message for some of the parser's errors, and fails on that
        }
    }

    /** The JDK's own factory, whatever else is on the class path, with all its limits set. */
    private static XMLInputFactory factory() {
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setProperty("jdk.xml.elementAttributeLimit", MAX_ATTRIBUTES);
        factory.setProperty("jdk.xml.maxElementDepth", MAX_DEPTH);
        factory.setProperty("jdk.xml.maxXMLNameLimit", 1000);
        factory.setProperty("jdk.xml.entityExpansionLimit", 1);
        factory.setProperty("jdk.xml.entityReplacementLimit", 1);
        factory.setProperty("jdk.xml.maxParameterEntitySizeLimit", 1);
        // &amp; and &#65; count too, and an image can consist of them.
        factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", LogoCheck.MAX_BYTES);
        factory.setProperty("jdk.xml.totalEntitySizeLimit", LogoCheck.MAX_BYTES);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("nothing outside the image is read");
        });
        return factory;
    }

    /** Demands UTF-8: a browser might read a document in another encoding differently. */
    private static String text(byte[] image) throws CharacterCodingException {
        var text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(image))
                .toString();
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    private void check() throws XMLStreamException {
        var declared = image.getCharacterEncodingScheme();
        if (declared != null && !declared.equalsIgnoreCase("UTF-8")) {
            throw new InvalidValueException("must be an SVG image in UTF-8");
        }
        var version = image.getVersion();
        if (version != null && !version.equals(XML_1_0)) { // browsers do not read these either
            throw malformed();
        }
        while (image.hasNext()) {
            switch (image.next()) {
                case XMLStreamConstants.START_ELEMENT -> start();
                case XMLStreamConstants.END_ELEMENT -> end();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> characters();
                case XMLStreamConstants.PROCESSING_INSTRUCTION -> instruction();
                case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE -> throw malformed();
                default -> {
                    // comments, and the beginning and end of the document
                }
            }
        }
    }

    private void start() {
        var name = image.getLocalName();
        var namespace = Objects.requireNonNullElse(image.getNamespaceURI(), "");
        elements++;
        namespaces += image.getNamespaceCount();
        if (depth++ == 0) {
            checkRoot(namespace, name);
        }
        if (depth > MAX_DEPTH
                || elements > MAX_ELEMENTS
                || namespaces > MAX_NAMESPACES
                || image.getAttributeCount() > MAX_ATTRIBUTES) {
            throw new InvalidValueException(
                    "must be an SVG image with at most " + MAX_DEPTH + " levels, " + MAX_ELEMENTS + " elements, "
                            + MAX_NAMESPACES + " namespaces and " + MAX_ATTRIBUTES + " attributes of an element");
        }
        if (isInStyle) { // the texts before and after it form one style sheet
            throw new InvalidValueException("must be an SVG image without elements in <style>");
        }
        if (namespace.equals(XHTML) || ACTIVE_ELEMENTS.contains(lower(name))) {
            throw new InvalidValueException("must be an SVG image without <" + name + ">");
        }
        for (int i = 0; i < image.getAttributeCount(); i++) {
            checkAttribute(
                    lower(image.getAttributeLocalName(i)),
                    Objects.requireNonNullElse(image.getAttributeNamespace(i), ""),
                    image.getAttributeValue(i));
        }
        isInStyle = lower(name).equals("style");
    }

    private static void checkRoot(String namespace, String name) {
        if (!namespace.equals(SVG) || !name.equals("svg")) {
            throw new InvalidValueException("must be an SVG image whose root element is svg in the namespace " + SVG);
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
        var isExternal = (isBase || REFERENCE_ATTRIBUTES.contains(name)) && !SvgReferences.isInternal(value);
        var loads = namespace.isEmpty() && SvgReferences.loads(value);
        if (isExternal || loads) {
            throw external();
        }
    }

    private static boolean isActiveAttribute(String attribute) {
        var name = attribute.substring(attribute.lastIndexOf(':') + 1).strip();
        return name.startsWith("on") || REFERENCE_ATTRIBUTES.contains(name);
    }

    private void characters() {
        if (isInStyle) {
            style.append(image.getTextCharacters(), image.getTextStart(), image.getTextLength());
        }
    }

    private void end() {
        depth--;
        if (isInStyle) {
            isInStyle = false;
            if (SvgReferences.loads(style.toString())) {
                throw external();
            }
            style.setLength(0);
        }
    }

    private void instruction() {
        if ("xml-stylesheet".equals(image.getPITarget())) {
            throw external();
        }
    }

    private static InvalidValueException malformed() {
        return new InvalidValueException(
                "must be an SVG image: well-formed XML without a DOCTYPE, in UTF-8, with elements"
                        + " at most 200 levels deep");
    }

    private static InvalidValueException external() {
        return new InvalidValueException(
                "must be an SVG image without references to anything outside itself, and without backslashes"
                        + " in attributes and styles");
    }

    private static String lower(@Nullable String text) {
        return UnicodeText.lowerAscii(Objects.requireNonNullElse(text, ""));
    }
}
