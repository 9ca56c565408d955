package dev.vestibule.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.access.AccessModule;
import dev.vestibule.access.Floor;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.page.console.ConsoleHandler;
import dev.vestibule.page.documentation.DocumentationHandler;
import dev.vestibule.page.documentation.DocumentationPages;
import dev.vestibule.page.hosted.HostedModule;
import dev.vestibule.page.preview.PreviewHandler;
import dev.vestibule.project.branding.BrandingCache;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.organization.OrganizationModule;
import dev.vestibule.user.organization.scim.ScimModule;
import java.util.function.Supplier;

/** Builds what people see in a browser. */
public final class PageModule {
    public final AssetHandler assets;
    public final ConsoleHandler console;
    public final DocumentationHandler documentation;
    public final HostedModule hosted;
    public final PreviewHandler previews;

    public PageModule(
            Floor floor,
            BrandingCache brandings,
            SessionModule sessions,
            TokenModule tokens,
            MailModule mail,
            AccessModule access,
            AuthenticationModule authentication,
            OauthModule oauth,
            OauthServerModule server,
            OrganizationModule organizations,
            ScimModule provisioning,
            Supplier<JsonNode> apiDescription) {
        var files = new Assets();
        this.assets = new AssetHandler(files);
        this.console = new ConsoleHandler(files);
        this.documentation = new DocumentationHandler(new DocumentationPages(files, apiDescription));
        this.hosted = new HostedModule(
                floor,
                brandings,
                sessions,
                tokens,
                access,
                authentication,
                oauth,
                server,
                organizations,
                provisioning,
                files);
        this.previews = new PreviewHandler(floor.database(), floor.workers(), hosted.preview, mail.preview);
    }
}
