package dev.vestibule.page.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.EmulateMediaOptions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.vestibule.fixture.Barriers;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.Description;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The documentation as people see and use it, in a real browser; skipped if none is installed. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("Swagger UI opens all operations, and axe-core looks at each guide.")
class DocumentationInBrowserIT {
    private static final int WIDE = 1280;
    private static final int HEIGHT = 900;
    /** Swagger UI takes seconds to show all operations, and many seconds on a busy machine. */
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

    /** Adds the browser's complaints to the list: blocked scripts and styles, errors, and failed requests. */
    private Page open(String below, List<String> complaints) {
        var page = chromium.newPage(new NewContextOptions()
                .setViewportSize(WIDE, HEIGHT)
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
        visit(page, below);
        return page;
    }

    private void visit(Page page, String below) {
        page.navigate(server.api().base() + "/docs/" + below);
    }

    private static void fitsAPhone(Page page, String name) {
        page.setViewportSize(Chromium.NARROW, HEIGHT);
        Chromium.fits(page, name);
    }

    @Test
    void guidesHaveNoBarriersAndAreNoWiderThanAPhone() {
        var complaints = new ArrayList<String>();
        var seen = new HashSet<Object>();
        var page = open("", complaints);
        for (var guide : guides()) {
            page.setViewportSize(WIDE, HEIGHT);
            visit(page, guide);
            Barriers.areNone(page, "/docs/" + guide, seen);
            fitsAPhone(page, "/docs/" + guide);
        }
        assertThat(complaints).isEmpty();
        page.context().close();
    }

    @Test
    void theKeyboardReachesTheContentFirst() {
        var page = open("webhooks/", new ArrayList<>());
        page.keyboard().press("Tab");
        assertThat(page.evaluate("document.activeElement.textContent")).isEqualTo("Skip to the content");
        page.keyboard().press("Enter");
        assertThat(page.evaluate("document.activeElement.id")).isEqualTo("content");
        page.context().close();
    }

    @Test
    void theSearchFindsGuidesAndOperationsByTheKeyboard() {
        var complaints = new ArrayList<String>();
        var page = open("webhooks/", complaints);
        page.keyboard().press("Control+k");
        page.keyboard().type("refresh token");
        page.locator(".found a").first().waitFor();
        Barriers.areNone(page, "search");
        fitsAPhone(page, "search on a phone");
        Barriers.areNoneInTheLight(page, "search on a phone");
        page.setViewportSize(WIDE, HEIGHT);
        assertThat(page.locator(".search [role=status]").textContent()).endsWith("places found");
        assertThat(page.locator(".found mark").first().textContent().toLowerCase(Locale.ROOT))
                .isIn("refresh", "token");

        page.keyboard().press("ArrowDown");
        assertThat(page.evaluate("document.activeElement.closest('.found') !== null"))
                .isEqualTo(true);
        page.keyboard().press("Escape");
        assertThat(page.locator(".found").isHidden()).isTrue();
        assertThat(page.evaluate("document.activeElement.id")).isEqualTo("search-words");

        page.locator("#search-words").fill("xyzzy");
        page.getByText("Nothing found").last().waitFor();
        page.locator("#search-words").fill("rotate-secret");
        page.locator(".found a", new Page.LocatorOptions().setHasText("Replace the secret"))
                .click();
        page.waitForURL("**/docs/webhooks/#replace-the-secret");
        assertThat(page.locator(".found").isHidden()).isTrue();

        page.locator("#search-words").fill("act as a user");
        page.locator(".found mark").first().waitFor();
        page.keyboard().press("Enter");
        page.locator("[id$='-impersonateUser'] .responses-wrapper").waitFor();
        page.locator("#search-words").fill("list your own passkeys");
        page.locator(".found mark").first().waitFor();
        page.keyboard().press("Enter");
        page.locator("[id$='-listPasskeys'] .responses-wrapper").waitFor();
        assertThat(complaints).isEmpty();
        page.context().close();
    }

    /** Markup in what somebody types, or was sent to type, stays text. */
    @Test
    void whatIsTypedIntoTheSearchIsNoMarkup() {
        var complaints = new ArrayList<String>();
        var page = open("", complaints);
        for (var typed : List.of("<img src=x onerror=alert(1)>", "(", "[a-", "\\", "x-api-key", "a".repeat(100))) {
            page.locator("#search-words").fill(typed);
            page.locator(".found").waitFor();
        }
        assertThat(page.locator(".found img").count()).isZero();
        assertThat(complaints).isEmpty();
        page.context().close();
    }

    @Test
    void aPhoneHasTheMenuBehindAButtonAndAWideScreenAlways() {
        var page = open("webhooks/", new ArrayList<>());
        var link = page.locator(".menu a", new Page.LocatorOptions().setHasText("Sign-in page"));
        assertThat(link.isVisible()).isTrue();
        page.setViewportSize(Chromium.NARROW, HEIGHT);
        link.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
        page.locator(".menu summary").click();
        Chromium.isAccessible(page, "menu on a phone");
        link.click();
        page.waitForURL("**/docs/hosted-page/");
        page.context().close();
    }

    @Test
    void codeIsCopiedAsItIsShown() {
        var page = open("verify-tokens/", new ArrayList<>());
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
    void swaggerOpensAnOperationByItsAddressWithoutBarriersAndShowsAllOthers() {
        var complaints = new ArrayList<String>();
        var page = open("api/#/Authentication/signIn", complaints);
        page.locator("[id$='-signIn'] .responses-wrapper").waitFor();
        page.emulateMedia(new EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        page.locator("html.dark-mode").waitFor();
        Barriers.areNone(page, "an operation");
        fitsAPhone(page, "an operation");
        page.setViewportSize(WIDE, HEIGHT);

        toggle(page, "Authentication", false);
        assertThat(page.locator(".opblock-tag").evaluateAll("all => all.map(one => one.dataset.tag)"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactlyInAnyOrderElementsOf(operations().keySet());
        // One tag alone, since Swagger UI takes a minute to show all.
        toggle(page, "Sessions", true);
        var sessions = operations().getOrDefault("Sessions", List.of());
        page.locator(".opblock").nth(sessions.size() - 1).waitFor();
        assertThat(page.locator(".opblock").evaluateAll("all => all.map(one => one.id.split('-').pop())"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactlyInAnyOrderElementsOf(sessions);
        assertThat(complaints).isEmpty();
        page.context().close();
    }

    private static void toggle(Page page, String tag, boolean isOpen) {
        var heading = ".opblock-tag[data-tag='" + tag + "']";
        page.locator(heading).dispatchEvent("click");
        page.locator(heading + "[data-is-open=" + isOpen + "]").waitFor();
    }

    /** The operations by their tags. */
    private static Map<String, List<String>> operations() {
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
        return operations;
    }
}
