package dev.vestibule.project;

import dev.vestibule.error.ApiException;

/** By what users of a project may prove who they are; what is off gets a 404. */
public record FactorSettings(boolean password, boolean totp) {
    public void requirePassword() {
        if (!password) {
            throw ApiException.notFound("This project has no passwords. Sign in another way.");
        }
    }

    public void requireTotp() {
        if (!totp) {
            throw ApiException.notFound("This project has no one-time passwords.");
        }
    }
}
