package dev.vestibule.project.branding;

import dev.vestibule.fuzz.ParserTarget;

/** An image is accepted as it is, or refused. */
public final class LogoTarget {
    private LogoTarget() {}

    public static void dataUrl(String text) {
        ParserTarget.acceptedBy(LogoCheck::dataUrl, text);
    }

    public static void svg(byte[] image) {
        ParserTarget.acceptedBy(
                anything -> {
                    SvgCheck.check(image);
                    return anything;
                },
                "");
    }
}
