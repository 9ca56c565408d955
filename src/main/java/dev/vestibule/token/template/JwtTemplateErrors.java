package dev.vestibule.token.template;

import dev.vestibule.error.ApiException;

/** What several operations on templates answer. */
final class JwtTemplateErrors {
    private JwtTemplateErrors() {}

    static ApiException notFound() {
        return ApiException.notFound("There is no such template.");
    }
}
