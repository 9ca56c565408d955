package dev.vestibule.page;

/**
 * What browsers let a page of this server do (Content Security Policy Level 3): scripts, styles and requests only of
 * this origin, nothing inline, and no framing. Pictures can come from any host over TLS, since logos and avatars do.
 */
public final class ContentSecurityPolicy {
    private static final String COMMON = "default-src 'none'; style-src 'self'; img-src 'self' data: https:;"
            + " base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

    /** For a page without scripts. */
    public static final String FORMS = COMMON;

    /** For a page with modules of this server, which call this server. */
    public static final String SCRIPTS = COMMON + "; script-src 'self'; connect-src 'self'";

    /**
     * For a page with modules and frames of this server, where only lit-html creates markup from text (Trusted Types).
     */
    public static final String CONSOLE =
            SCRIPTS + "; frame-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html";

    private ContentSecurityPolicy() {}
}
