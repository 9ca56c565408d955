package dev.vestibule.authentication.phone;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.project.Project;
import dev.vestibule.user.User;

/** The checks that come first in both uses of a phone number. */
final class Phones {
    private Phones() {}

    /** A 404 like the one for a provider that is not enabled. */
    static void requireOn(SmsCodes codes, Project project) {
        if (!codes.isOnIn(project)) {
            throw ApiException.of(ErrorCode.FEATURE_DISABLED, "Codes by SMS are not enabled.");
        }
    }

    static boolean hasVerified(User user, String phone) {
        return user.phoneVerified() && phone.equals(user.phone());
    }
}
