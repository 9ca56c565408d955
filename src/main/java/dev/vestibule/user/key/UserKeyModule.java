package dev.vestibule.user.key;

import dev.vestibule.access.Floor;
import dev.vestibule.mail.MailModule;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.organization.OrganizationModule;

/** Builds the API keys of users and of organizations. */
public final class UserKeyModule {
    /** Checks keys, and tokens that were given for them. */
    public final UserKeys keys;

    public final UserKeyHandler operations;
    public final OrganizationKeyHandler ofOrganizations;

    public UserKeyModule(Floor floor, TokenModule tokens, MailModule mail, OrganizationModule organizations) {
        var changes = new KeyChanges(floor.database(), floor.settings().users().maxKeys(), floor.clock());
        this.keys = new UserKeys(floor.database(), floor.clock());
        this.operations = new UserKeyHandler(
                floor.database(), keys, changes, mail.mails.changes(), tokens.signedTokens, floor.clock());
        this.ofOrganizations =
                new OrganizationKeyHandler(floor.database(), organizations.organizations, changes, floor.clock());
    }
}
