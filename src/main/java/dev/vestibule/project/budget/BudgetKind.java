package dev.vestibule.project.budget;

import java.util.Locale;

/** What is counted; each kind has scopes of its own. */
public enum BudgetKind {
    INVITATIONS,
    MAILS,
    REGISTRATIONS,
    SMS,
    WRONG_CODES;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
