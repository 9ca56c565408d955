/**
 * What people would see of a branding before it is saved: the hosted page and the mails, by the renderers that write the real
 * ones ({@link dev.vestibule.page.preview.PreviewHandler#branding}).
 *
 * <p><b>How the console shows it.</b> Documents that a page makes itself (srcdoc, blob) inherit its policy, which has no room
 * for the inline styles of mails. So the console's frame loads an empty document of this server with a policy of its own
 * ({@link dev.vestibule.page.preview.PreviewHandler#frame}): styles yes, scripts and forms no, and a sandbox besides that
 * lets nothing run, whatever is in it. The console writes the draft's markup into that document. Nothing about a draft is
 * stored or stands in an address, any node serves it, and typing leaves no steps in the browser's history.
 */
@NullMarked
package dev.vestibule.page.preview;

import org.jspecify.annotations.NullMarked;
