package dev.vestibule.page.hosted;

import dev.vestibule.authentication.oauth.PageSignIn;
import dev.vestibule.authentication.oauth.PageSignIn.Offer;
import dev.vestibule.page.hosted.FormTokens.Proof;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.page.hosted.HostedVisit.Offered;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.branding.Branding;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The page as people would see it in an unsaved branding, with an inline style sheet; nothing on it works. */
public final class HostedPreview {
    private static final String LINK = "<link rel=\"stylesheet\" href=\"style.css\">";

    /** The screens that a visit can begin with and a preview can show. */
    public enum Shown {
        SIGN_IN(Screen.SIGN_IN),
        SIGN_UP(Screen.SIGN_UP),
        FORGOT_PASSWORD(Screen.FORGOT_PASSWORD);

        private final Screen screen;

        Shown(Screen screen) {
            this.screen = screen;
        }
    }

    private final HostedPages pages;
    private final HostedStyle style = new HostedStyle();
    private final Predicate<Project> hasSmsCodes;
    private final PageSignIn providers;

    HostedPreview(HostedPages pages, Predicate<Project> hasSmsCodes, PageSignIn providers) {
        this.pages = pages;
        this.hasSmsCodes = hasSmsCodes;
        this.providers = providers;
    }

    /** Loads what the project offers, whether or not the branding shows it. */
    public Future<Prepared> prepare(Project project) {
        return providers.offers(project).map(offers -> new Prepared(project, offers));
    }

    /** The previews of a project. */
    public final class Prepared {
        private final Project project;
        private final List<Offer> offers;

        private Prepared(Project project, List<Offer> offers) {
            this.project = project;
            this.offers = offers;
        }

        /** Safe to inline: the rules of a checked style sheet can neither end its element nor start another one. */
        public String of(Branding branding, Language language, Shown shown) {
            var visit = new HostedVisit(
                    project,
                    branding,
                    language,
                    Optional.empty(),
                    "",
                    new Proof("", ""),
                    Optional.empty(),
                    new Offered(
                            hasSmsCodes.test(project),
                            false, // the passkey button is hidden until its script runs
                            HostedVisit.shown(offers, branding),
                            purpose -> Optional.empty()));
            var html = pages.show(visit, View.of(shown.screen)).body().toString();
            if (!html.contains(LINK)) {
                throw new IllegalStateException("the page has no style sheet where it is expected");
            }
            return html.replace(LINK, "<style>" + style.of(branding) + "</style>");
        }
    }
}
