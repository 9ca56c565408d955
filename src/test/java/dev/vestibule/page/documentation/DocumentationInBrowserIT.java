package dev.vestibule.page.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.Description;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The documentation as people see and use it, in a real browser; skipped where there is none to be found. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("Swagger UI opens all operations, and axe-core looks at each guide in both schemes and widths.")
class DocumentationInBrowserIT {
    private static final int NARROW = 320;
    private static final int WIDE = 1280;
    private static final int HEIGHT = 900;
    /** Swagger UI takes seconds to show all operations, on a busy machine many. */
    private static final int PATIENCE_MILLIS = 120_000;

    private final TestServer server;
    private final Chromium chromium;

    @SuppressWarnings("NullAway.Init")
    DocumentationInBrowserIT(Chromium chromium, TestServer server) {
        this.chromium = chromium;
        this.server = server;
    }

    private static List<String> guides() {
        return Stream.concat(Stream.of(""), Guides.SLUGS.stream().skip(1).map(slug -> slug + "/"))
                .toList();
    }

    /** What the browser complains of goes to the list: blocked scripts and styles, errors, and failed requests. */
    private Page open(String below, int width, ColorScheme scheme, List<String> complaints) {
        var page = chromium.newPage(new NewContextOptions()
                .setViewportSize(width, HEIGHT)
                .setColorScheme(scheme)
                .setPermissions(List.of("clipboard-read", "clipboard-write")));
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.onConsoleMessage(message -> {
            if (!message.type().equals("log")) {
                complaints.add(message.type() + ": " + message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onRequestFailed(request -> complaints.add("failed: " + request.url()));
        page.onRequest(request -> {
            if (!request.url().startsWith(server.api().base().toString())
                    && !request.url().startsWith("data:")) {
                complaints.add("another host: " + request.url());
            }
        });
        page.navigate(server.api().base() + "/docs/" + below);
        return page;
    }

    @Test
    void guidesHaveNoBarriersInLightAndDark() {
        for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (var guide : guides()) {
                for (var width : List.of(WIDE, NARROW)) {
                    var complaints = new ArrayList<String>();
                    var page = open(guide, width, scheme, complaints);
                    var found = new AxeBuilder(page)
                            .withTags(List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"))
                            .analyze();
                    assertThat(found.getViolations())
                            .as("/docs/%s, %s, %d pixels", guide, scheme, width)
                            .isEmpty();
                    assertThat(complaints).isEmpty();
                    page.context().close();
                }
            }
        }
    }

    @Test
    void noGuideIsWiderThanAPhone() {
        for (var guide : guides()) {
            var page = open(guide, NARROW, ColorScheme.LIGHT, new ArrayList<>());
            assertThat(page.evaluate("document.documentElement.scrollWidth"))
                    .as("/docs/%s", guide)
                    .isEqualTo(NARROW);
            page.context().close();
        }
    }

    @Test
    void theKeyboardReachesTheContentFirst() {
        var page = open("webhooks/", WIDE, ColorScheme.LIGHT, new ArrayList<>());
        page.keyboard().press("Tab");
        assertThat(page.evaluate("document.activeElement.textContent")).isEqualTo("Skip to the content");
        page.keyboard().press("Enter");
        assertThat(page.evaluate("document.activeElement.id")).isEqualTo("content");
        page.context().close();
    }

    @Test
    void codeIsCopiedAsItIsShown() {
        var page = open("verify-tokens/", WIDE, ColorScheme.LIGHT, new ArrayList<>());
        page.locator(".code", new Page.LocatorOptions().setHasText("createRemoteJWKSet"))
                .locator("button")
                .click();
        page.locator("button", new Page.LocatorOptions().setHasText("Copied")).waitFor();
        assertThat(page.evaluate("navigator.clipboard.readText()").toString())
                .startsWith("import { createRemoteJWKSet, jwtVerify } from 'jose'\n")
                .endsWith("console.log(claims.sub)\n");
        page.context().close();
    }

    @Test
    void swaggerShowsEveryOperationAndTheBrowserComplainsOfNothing() {
        var operations = new TreeMap<String, List<String>>();
        Description.get()
                .root()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> operations
                                .computeIfAbsent(
                                        operation.getValue().at("/tags/0").asText(), tag -> new ArrayList<>())
                                .add(operation.getValue().path("operationId").asText())));
        for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            var complaints = new ArrayList<String>();
            var page = open("api/", WIDE, scheme, complaints);
            page.locator(".opblock-tag").first().waitFor();
            operations.forEach((tag, ofTag) -> {
                // One at a time, since to show all takes Swagger UI a minute.
                var heading = ".opblock-tag[data-tag='" + tag + "']";
                page.locator(heading).dispatchEvent("click");
                page.locator(".opblock").nth(ofTag.size() - 1).waitFor();
                assertThat(page.locator(".opblock").evaluateAll("all => all.map(one => one.id.split('-').pop())"))
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .containsExactlyInAnyOrderElementsOf(ofTag);
                page.locator(heading).dispatchEvent("click");
                page.locator(heading + "[data-is-open=false]").waitFor();
            });
            page.locator(".opblock-tag[data-tag='Authentication']").dispatchEvent("click");
            assertThat((Boolean) page.evaluate("document.documentElement.classList.contains('dark-mode')"))
                    .isEqualTo(scheme == ColorScheme.DARK);

            page.locator("[id$='-signIn'] .opblock-summary-control").dispatchEvent("click");
            page.locator("[id$='-signIn'] .responses-wrapper").waitFor();
            assertThat(complaints).isEmpty();
            assertThat(new AxeBuilder(page).analyze().getViolations())
                    .as("findings, %s", scheme)
                    .extracting(rule -> rule.getId() + ": " + rule.getNodes())
                    .isEmpty();
            page.context().close();
        }
    }

    @Test
    void anOperationHasAnAddressOfItsOwn() {
        var page = open("api/#/Authentication/signIn", WIDE, ColorScheme.LIGHT, new ArrayList<>());
        page.locator("[id$='-signIn'] .responses-wrapper").waitFor();
        page.context().close();
    }

    @Test
    void theDescriptionIsNotWiderThanAPhone() {
        var page = open("api/#/Authentication/signIn", NARROW, ColorScheme.LIGHT, new ArrayList<>());
        page.locator("[id$='-signIn'] .responses-wrapper").waitFor();
        assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(NARROW);
        page.context().close();
    }
}
