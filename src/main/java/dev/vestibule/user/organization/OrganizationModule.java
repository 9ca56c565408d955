package dev.vestibule.user.organization;

import dev.vestibule.access.Floor;
import dev.vestibule.journal.JournalModule;

/** Builds everything for organizations. */
public final class OrganizationModule {
    private final OrganizationHandler operations;
    private final OrganizationMemberHandler members;

    public OrganizationModule(Floor floor, JournalModule journal) {
        var database = floor.database();
        var clock = floor.clock();
        var organizations = new Organizations(database, journal.events(), clock);
        this.operations = new OrganizationHandler(database, organizations);
        this.members = new OrganizationMemberHandler(
                database, organizations, new OrganizationMembers(database, organizations, journal.events(), clock));
    }

    public OrganizationHandler operations() {
        return operations;
    }

    public OrganizationMemberHandler members() {
        return members;
    }
}
