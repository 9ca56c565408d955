package dev.vestibule.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.access.Floor;
import dev.vestibule.mail.MailModule;
import dev.vestibule.page.console.ConsoleHandler;
import dev.vestibule.page.documentation.DocumentationHandler;
import dev.vestibule.page.documentation.DocumentationPages;
import dev.vestibule.page.hosted.HostedModule;
import dev.vestibule.page.preview.PreviewHandler;
import java.util.function.Supplier;

/** Builds what people see in a browser that belongs to no project. */
public final class PageModule {
    public final AssetHandler assets;
    public final ConsoleHandler console;
    public final DocumentationHandler documentation;
    public final PreviewHandler previews;

    public PageModule(
            Floor floor, Assets files, MailModule mail, HostedModule hosted, Supplier<JsonNode> apiDescription) {
        this.assets = new AssetHandler(files);
        this.console = new ConsoleHandler(files);
        this.documentation = new DocumentationHandler(new DocumentationPages(files, apiDescription));
        this.previews = new PreviewHandler(floor.database(), floor.workers(), hosted.preview, mail.preview);
    }
}
