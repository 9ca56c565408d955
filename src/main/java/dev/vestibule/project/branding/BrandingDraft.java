package dev.vestibule.project.branding;

import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.branding.BrandingStore.Update;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes of a branding that have passed all validation rules, whether stored or not. */
public final class BrandingDraft {
    private static final int MAX_BORDER_RADIUS = 64;
    private static final int MAX_PROVIDERS = 100;
    private static final FieldType<List<String>> PROVIDERS = FieldType.strings(MAX_PROVIDERS, BrandingFields::provider);

    private final Update update;

    private BrandingDraft(Update update) {
        this.update = update;
    }

    /** Do not call this on an event loop: reading an SVG of 200 KiB takes 10 ms. */
    public static BrandingDraft read(Fields fields) {
        return new BrandingDraft(update(fields));
    }

    /** The branding with these changes applied. */
    public Branding over(Branding saved, String projectName) {
        return new Branding(
                changed(update.brandName(), saved.brandName(), BrandingFields.shownName(projectName)),
                changed(update.primaryColorStart(), saved.primaryColorStart(), DefaultBranding.PRIMARY_START),
                changed(update.primaryColorEnd(), saved.primaryColorEnd(), DefaultBranding.PRIMARY_END),
                changed(update.lightBg(), saved.lightBg(), DefaultBranding.LIGHT_BACKGROUND),
                changed(update.lightText(), saved.lightText(), DefaultBranding.LIGHT_TEXT),
                changed(update.darkBg(), saved.darkBg(), DefaultBranding.DARK_BACKGROUND),
                changed(update.darkText(), saved.darkText(), DefaultBranding.DARK_TEXT),
                changed(update.borderRadius(), saved.borderRadius(), DefaultBranding.BORDER_RADIUS),
                changed(update.showEmailPassword(), saved.showEmailPassword(), true),
                changed(update.showDivider(), saved.showDivider(), true),
                nullable(update.termsUrl(), saved.termsUrl()),
                nullable(update.privacyUrl(), saved.privacyUrl()),
                nullable(update.logoDataUrl(), saved.logoDataUrl()),
                changed(update.providerOrder(), saved.providerOrder(), List.of()),
                changed(update.hiddenProviders(), saved.hiddenProviders(), List.of()),
                changed(update.hiddenProviders(), saved.hiddenByProject(), List.of()),
                changed(update.customCss(), saved.customCss(), ""),
                saved.locale(),
                changed(update.showSecuredBy(), saved.showSecuredBy(), false),
                saved.showPasswordless(),
                saved.passwordlessMethod(),
                saved.showPasskey(),
                saved.showWeb3(),
                saved.captchaEnabled(),
                saved.turnstileSiteKey());
    }

    private static <T> T changed(Change<T> change, T saved, T defaultValue) {
        return change.isMade() ? Objects.requireNonNullElse(change.value(), defaultValue) : saved;
    }

    private static @Nullable String nullable(Change<String> change, @Nullable String saved) {
        return change.isMade() ? change.value() : saved;
    }

    static Update update(Fields fields) {
        return new Update(
                fields.change("brandName", BrandingFields::name),
                fields.change("primaryColorStart", BrandingFields::color),
                fields.change("primaryColorEnd", BrandingFields::color),
                fields.change("lightBg", BrandingFields::color),
                fields.change("lightText", BrandingFields::color),
                fields.change("darkBg", BrandingFields::color),
                fields.change("darkText", BrandingFields::color),
                fields.change("borderRadius", FieldType.integer(0, MAX_BORDER_RADIUS)),
                fields.change("showEmailPassword", FieldType.bool()),
                fields.change("showDivider", FieldType.bool()),
                fields.change("termsUrl", BrandingFields::url),
                fields.change("privacyUrl", BrandingFields::url),
                fields.change("logoDataUrl", LogoCheck.DATA_URL),
                fields.change("providerOrder", PROVIDERS),
                fields.change("hiddenProviders", PROVIDERS),
                fields.change("customCss", StyleCheck.CSS),
                fields.change("showSecuredBy", FieldType.bool()));
    }
}
