/**
 * How a project's login pages look: name, colours, logo and links. A column that is null means the default, so that a
 * better default reaches all projects that have not set their own. Mails use the same branding and the same
 * {@link dev.vestibule.project.branding.DefaultBranding}, but read it in their own query.
 *
 * <p>The public branding is cached as an encoded response, bounded by bytes and not by entries, because a logo can have
 * 200 KiB. Logos are checked when they are set, since other people's login pages show them: the content must match the
 * type, and an SVG must not contain anything that runs or loads.
 *
 * <p>Some clients write the name, the URLs and the styles into their page unescaped. So values that could end an
 * attribute or an element are refused when they are set ({@link dev.vestibule.project.branding.BrandingFields},
 * {@link dev.vestibule.project.branding.StyleCheck}), and characters of the project's name that could are replaced. The
 * response also hides the enabled providers that clients have no button for.
 */
@NullMarked
package dev.vestibule.project.branding;

import org.jspecify.annotations.NullMarked;
