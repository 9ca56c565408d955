package dev.vestibule.project.branding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.vestibule.error.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogoCheckTest {
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final byte[] JPEG = {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0};
    private static final byte[] WEBP = "RIFF\0\0\0\0WEBPVP8 ".getBytes(StandardCharsets.ISO_8859_1);
    private static final String ROOT = "<svg xmlns='http://www.w3.org/2000/svg'"
            + " xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:h='http://www.w3.org/1999/xhtml'";

    private static String url(String type, byte[] image) {
        return "data:image/" + type + ";base64," + Base64.getEncoder().encodeToString(image);
    }

    private static String svg(String text) {
        return url("svg+xml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertRejected(String dataUrl, String why) {
        assertThatThrownBy(() -> LogoCheck.dataUrl(dataUrl))
                .as(dataUrl)
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(why);
    }

    @Test
    void anImageThatMatchesItsTypeIsUnchanged() {
        for (var good : List.of(url("png", PNG), url("jpeg", JPEG), url("webp", WEBP), svg(ROOT + "/>"))) {
            assertThat(LogoCheck.dataUrl(good)).isEqualTo(good);
        }
    }

    @Test
    void anImageThatDoesNotMatchItsTypeIsRejected() {
        assertRejected(url("png", JPEG), "not a PNG");
        assertRejected(url("jpeg", PNG), "not a JPEG");
        assertRejected(url("webp", "RIFF\0\0\0\0WAVEfmt ".getBytes(StandardCharsets.ISO_8859_1)), "not a WebP");
        assertRejected(url("webp", PNG), "not a WebP");
        assertRejected(url("png", new byte[0]), "not a PNG");
        assertRejected(url("png", Arrays.copyOf(PNG, 7)), "not a PNG");
        assertRejected(url("svg+xml", PNG), "well-formed XML");
        assertRejected(url("png", (ROOT + "/>").getBytes(StandardCharsets.UTF_8)), "not a PNG");
    }

    @Test
    void theLimitIsExactly200Kibibytes() {
        LogoCheck.dataUrl(url("png", Arrays.copyOf(PNG, 200 * 1024)));
        assertRejected(url("png", Arrays.copyOf(PNG, 200 * 1024 + 1)), "200 KiB");
        assertRejected(url("png", Arrays.copyOf(PNG, 201 * 1024)), "200 KiB");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "https://example.com/logo.png",
                "data:,",
                "data:text/html;base64,PHA+",
                "data:image/gif;base64,R0lGODlh",
                "data:image/png,iVBORw0KGgo=",
                "data:image/png;charset=utf-8;base64,iVBORw0KGgo=",
                "DATA:IMAGE/PNG;BASE64,iVBORw0KGgo=",
                " data:image/png;base64,iVBORw0KGgo=",
                "data:image/svg;base64,PHN2Zy8+"
            })
    void onlyDataUrlsOfTheFourTypesAreAccepted(String text) {
        assertRejected(text, "must be a data URL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "iVBORw0KGgo",
                "iVBORw0KGgp=",
                "iVBORw0KGgo==",
                "iVBORw0KGgo= ",
                "iVBO Rw0KGgo=",
                "iVBORw0KGgo=\n",
                "iVBORw0KGg-_",
                "iVBORw0KGgo%3D",
                "iVBORw0KGgo=AAAA",
                "\u0000",
                "\ud800",
                "한국어"
            })
    void onlyCanonicalBase64IsAccepted(String base64) {
        assertRejected("data:image/png;base64," + base64, "valid base64");
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void aHarmlessSvgIsAccepted(String drawing) {
        LogoCheck.dataUrl(svg(drawing));
    }

    static List<String> harmless() {
        return List.of(
                "<?xml version='1.0' encoding='UTF-8' standalone='no'?>\n<!-- by hand -->\n" + ROOT + "/>",
                "\ufeff" + ROOT + "/>",
                "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:g/></s:svg>",
                ROOT + "><title>" + "&amp;&#65;&#x42;".repeat(10_000) + "</title></svg>",
                ROOT + "><title>On the &lt;road&gt; &amp; image (2) \\o/ 한국어</title></svg>",
                ROOT + "><style><![CDATA[.a { fill: url(#b); stroke: url( \"#c\" ) }]]></style></svg>",
                ROOT + "><linearGradient id='a'/><rect fill='url(#a)' style='filter:url(\"#b\")'/></svg>",
                ROOT + "><use href='#a'/><use xlink:href='#a'/><use xlink:href=''/></svg>",
                ROOT + "><image href='data:image/png;base64,iVBORw0KGgo='/></svg>",
                ROOT + "><animate attributeName='opacity' values='0;1' dur='1s'/></svg>",
                ROOT + " xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape'"
                        + " inkscape:export-filename='C:\\logo.png'><inkscape:grid type='xygrid'/></svg>",
                ROOT + "><metadata><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
                        + " r:resource='http://creativecommons.org/licenses/by/4.0/'/></metadata></svg>");
    }

    @ParameterizedTest
    @MethodSource("harmful")
    void anActiveOrExternalSvgIsRejected(String drawing) {
        assertRejected(svg(drawing), "must be an SVG image");
    }

    static List<String> harmful() {
        return List.of(
                "",
                "no XML",
                "<svg/>",
                "<html xmlns='http://www.w3.org/1999/xhtml'/>",
                "<g xmlns='http://www.w3.org/2000/svg'/>",
                ROOT + ">",
                ROOT + "/>" + ROOT + "/>",
                ROOT + "><g a='1' a='2'/></svg>",
                ROOT + "><g" + attributes(201) + "/></svg>",
                ROOT + ">&nbsp;</svg>",
                ROOT + ">\u0000</svg>",
                "<!DOCTYPE svg [<!ENTITY a Z\u0000 'b'>]>" + ROOT + "/>",
                "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>"
                        + ROOT + "/>",
                "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + ROOT + ">&x;</svg>",
                "<!DOCTYPE svg [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>" + ROOT + ">&b;</svg>",
                "<?xml-stylesheet href='https://evil.example/a.css'?>" + ROOT + "/>",
                "<?xml version='1.0' encoding='ISO-2022-JP'?>" + ROOT + "/>",
                "<?xml version='1.0' encoding='UTF-7'?>" + ROOT + "/>",
                "<?xml version='1.1' encoding='UTF-8'?>" + ROOT + "/>",
                "<!DOCTYPE svg>" + ROOT + "/>",
                "<!DOCTYPE svg SYSTEM 'file:///etc/passwd'>" + ROOT + "/>",
                "<!DOCTYPE svg [<!ENTITY % a SYSTEM 'file:///etc/passwd'> %a;]>" + ROOT + "/>",
                billionLaughs(),
                ROOT + ">&undeclared;</svg>",
                ROOT + " id='&undeclared;'/>",
                ROOT + "><script>alert(1)</script></svg>",
                ROOT + "><g><SCRIPT/></g></svg>",
                ROOT + "><x:script xmlns:x='http://www.w3.org/2000/svg' href='data:,alert(1)'/></svg>",
                ROOT + "><h:img src='x'/></svg>",
                ROOT + "><h:p/></svg>",
                ROOT + "><foreignObject><p xmlns='http://www.w3.org/1999/xhtml'/></foreignObject></svg>",
                ROOT + "><iframe src='#'/></svg>",
                ROOT + " onload='alert(1)'/>",
                ROOT + "><rect OnClick='alert(1)'/></svg>",
                ROOT + "><a href='javascript:alert(1)'/></svg>",
                ROOT + "><a xlink:href=' java&#10;script:alert(1)'/></svg>",
                ROOT + "><a><set attributeName='xlink:href' to='javascript:alert(1)'/></a></svg>",
                ROOT + "><set attributeName='onclick' to='alert(1)'/></svg>",
                ROOT + "><image href='https://evil.example/a.png'/></svg>",
                ROOT + "><image href='//evil.example/a.png'/></svg>",
                ROOT + "><image xlink:href='a.png'/></svg>",
                ROOT + "><use href='data:image/svg+xml;base64,PHN2Zy8+#a'/></svg>",
                ROOT + " xml:base='https://evil.example/'/>",
                ROOT + "><rect fill='url(https://evil.example/#a)'/></svg>",
                ROOT + "><rect style='fill: URL( \"https://evil.example/#a\" )'/></svg>",
                ROOT + "><rect style='fill: u\\72l(https://evil.example/#a)'/></svg>",
                ROOT + "><animate attributeName='fill' values='url(https://evil.example/#a)'/></svg>",
                ROOT + "><style>@import 'https://evil.example/a.css';</style></svg>",
                ROOT + "><style>@im<style/>port 'https://evil.example/a.css';</style></svg>",
                ROOT + "><style>@im<g>a</g>port 'https://evil.example/a.css';</style></svg>",
                ROOT + "><style>@im<!-- a -->port 'https://evil.example/a.css';</style></svg>",
                ROOT + "><style>@im<?a b?>p<![CDATA[ort 'https://evil.example/a.css';]]></style></svg>",
                ROOT + "><style>@im<g/>port 'https://evil.example/a.css';</style></svg>",
                ROOT + "><style><![CDATA[a { b: url(//evil.example) }]]></style></svg>",
                ROOT + "><style>a { b: image-set('https://evil.example/a.png' 1x) }</style></svg>",
                ROOT + "><style>@font-face { src: url&#40;https://evil.example/a) }</style></svg>");
    }

    private static String billionLaughs() {
        var entities = IntStream.range(1, 10)
                .mapToObj(i -> "<!ENTITY a" + i + " '" + ("&a" + (i - 1) + ";").repeat(10) + "'>")
                .collect(Collectors.joining());
        return "<!DOCTYPE svg [<!ENTITY a0 'ha'>" + entities + "]>" + ROOT + " id='&a9;'><title>&a9;</title></svg>";
    }

    private static String attributes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> " xmlns:a" + i + "='u" + i + "'")
                .collect(Collectors.joining());
    }

    @Test
    void anSvgHasAtMostTwoHundredLevelsOnEveryJava() {
        LogoCheck.dataUrl(nested(199));
        assertThatThrownBy(() -> LogoCheck.dataUrl(nested(200))).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void anSvgInAnotherEncodingIsRejected() {
        assertRejected(url("svg+xml", (ROOT + "/>").getBytes(StandardCharsets.UTF_16)), "must be an SVG image");
        assertRejected(
                url("svg+xml", (ROOT + " id='é'/>").getBytes(StandardCharsets.ISO_8859_1)), "must be an SVG image");
    }

    /** Twice the bytes may take twice the time; a quadratic check takes seconds for the largest image. */
    @ParameterizedTest
    @MethodSource("attacks")
    void theLargestImageIsCheckedAtOnce(String beginning, String many, String end) {
        var room = 200 * 1024 - beginning.length() - end.length();
        var image = svg(beginning + many.repeat(room / many.length()) + end);
        assertTimeoutPreemptively(Duration.ofSeconds(2), () -> {
            try {
                LogoCheck.dataUrl(image);
            } catch (InvalidValueException refused) {
                // only the time counts here
            }
        });
    }

    static List<Arguments> attacks() {
        var within = ROOT + ">";
        return List.of(
                arguments("", "<", ""),
                arguments("", "<!--", ""),
                arguments(within, "<!--", ""),
                arguments(within + "<!-", "-", ""),
                arguments(within, "<!---->", "</svg>"),
                arguments(within, "<g>", ""),
                arguments(within, "<g/>", "</svg>"),
                arguments(within, "<![CDATA[]]>", "</svg>"),
                arguments(within + "<![CDATA[", "]", ""),
                arguments(within, "<?a", ""),
                arguments(within + "<?a ", "?", ""),
                arguments(within, "&amp;", "</svg>"),
                arguments(within, "&", ""),
                arguments(within + "<g ", "a", ""),
                arguments(within + "<g", " ", "/></svg>"),
                arguments(within + "<", "a", "/></svg>"),
                arguments(within + "<", "a:", "/></svg>"),
                arguments(within + "<g style='url(", " ", "'/></svg>"),
                arguments(within + "<g style='url(\"", " ", "'/></svg>"),
                arguments(within + "<g style='", "url(#", "'/></svg>"),
                arguments(within + "<g style='", "url( ", "'/></svg>"),
                arguments(within + "<g style='", "url(\"", "'/></svg>"),
                arguments(within + "<style>url(", " ", "</style></svg>"),
                arguments(within + "<style>", "url(#", "</style></svg>"),
                arguments(within + "<style>", "&#32;", "</style></svg>"),
                arguments(within + "<set attributeName='", "a", "'/></svg>"),
                arguments(within + "<set attributeName='", ":", "'/></svg>"),
                arguments(within + "<set attributeName='", " ", "'/></svg>"),
                arguments(within + "<a href='", " ", "'/></svg>"),
                arguments(within + "<g", " a='1'", "/></svg>"),
                arguments(within + "<g" + attributes(150) + ">", "<a149:g/>", "</g></svg>"),
                arguments(within, "<g xmlns:b='u'>", ""),
                arguments(within, "<g" + attributes(50) + ">", ""),
                arguments("<!DOCTYPE svg [", "<!ENTITY a 'b'>", "]>" + ROOT + "/>"),
                arguments("<!DOCTYPE svg [", "%a;", "]>" + ROOT + "/>"),
                arguments("<!DOCTYPE svg [<!ATTLIST g ", "a CDATA 'b' ", ">]>" + ROOT + "/>"));
    }

    private static String nested(int depth) {
        return svg(ROOT + ">" + "<g>".repeat(depth) + "</g>".repeat(depth) + "</svg>");
    }
}
