package dev.vestibule.page;

/**
 * What a browser lets a page of this server do (Content Security Policy Level 3): scripts, styles and requests of this
 * origin alone, nothing inline, no frame around it. Pictures may come from anywhere by TLS, since logos and avatars do.
 */
public final class ContentSecurityPolicy {
    private static final String COMMON = "default-src 'none'; style-src 'self'; img-src 'self' data: https:;"
            + " base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

    /** For a page without scripts. */
    public static final String FORMS = COMMON;

    /** For a page with modules of this server, which call this server. */
    public static final String SCRIPTS = COMMON + "; script-src 'self'; connect-src 'self'";

    /** For a page with modules and frames of this server, where only lit-html makes markup out of text (Trusted Types). */
    public static final String CONSOLE =
            SCRIPTS + "; frame-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html";

    private ContentSecurityPolicy() {}
}
