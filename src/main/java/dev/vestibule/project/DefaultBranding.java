package dev.vestibule.project;

/** The look of a project that chose none, on its login page and in its mails alike: CSS colours and pixels. */
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
