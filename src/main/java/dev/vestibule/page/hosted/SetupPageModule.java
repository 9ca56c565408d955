package dev.vestibule.page.hosted;

import dev.vestibule.access.AccessModule;
import dev.vestibule.access.Floor;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.user.organization.OrganizationModule;
import dev.vestibule.user.organization.scim.ScimModule;

/** Builds the page that a setup link opens. */
public final class SetupPageModule {
    public final SetupPageHandler page;

    public SetupPageModule(
            Floor floor,
            HostedModule hosted,
            AccessModule access,
            OauthModule oauth,
            OrganizationModule organizations,
            ScimModule provisioning) {
        this.page = new SetupPageHandler(
                access.visitors,
                hosted.visits,
                hosted.pages,
                organizations,
                provisioning.directories,
                oauth,
                floor.settings().publicUrl());
    }
}
