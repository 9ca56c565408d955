package dev.vestibule.project.branding;

/** The default look of login pages and mails: CSS colours, and the border radius in pixels. */
public final class DefaultBranding {
    public static final String PRIMARY_START = "#4f46e5";
    public static final String PRIMARY_END = "#7c3aed";
    public static final String LIGHT_BACKGROUND = "#ffffff";
    public static final String LIGHT_TEXT = "#111827";
    public static final String DARK_BACKGROUND = "#0b1020";
    public static final String DARK_TEXT = "#f9fafb";
    public static final int BORDER_RADIUS = 12;

    private DefaultBranding() {}
}
