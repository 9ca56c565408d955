package dev.vestibule.user.organization.scim;

import dev.vestibule.access.Floor;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.user.organization.OrganizationModule;
import dev.vestibule.user.organization.directory.Directories;
import dev.vestibule.user.organization.directory.DirectoryHandler;

/** Builds the directories of organizations and their SCIM server. */
public final class ScimModule {
    public final DirectoryHandler directories;
    public final ScimUserHandler users;
    public final ScimGroupHandler groups;
    public final ScimServiceHandler service;

    public ScimModule(
            Floor floor,
            SessionModule sessions,
            MailModule mail,
            AuthenticationModule authentication,
            OrganizationModule organizations) {
        var database = floor.database();
        var clock = floor.clock();
        var publicUrl = floor.settings().publicUrl();
        var roles = new GroupRoles(organizations.changes);
        var directories = new Directories(database, organizations.organizations, roles::apply, clock);
        this.directories = new DirectoryHandler(directories, publicUrl, clock);
        var lock = new ScimLock(organizations.organizations, directories);
        var searches = new ScimSearches(database);
        this.users = new ScimUserHandler(
                database,
                new ScimUsers(
                        database,
                        lock,
                        organizations.changes,
                        authentication.signIns.proof,
                        mail.mails.changes(),
                        sessions.store,
                        clock),
                searches,
                publicUrl);
        this.groups = new ScimGroupHandler(database, new ScimGroups(database, lock, roles, clock), searches, publicUrl);
        this.service = new ScimServiceHandler(publicUrl);
    }
}
