/**
 * Previews of a branding before it is saved: the hosted page and the mails, from the renderers of the real ones
 * ({@link dev.vestibule.page.preview.PreviewHandler#branding}).
 *
 * <p><b>How the console shows it.</b> Documents that a page creates itself (srcdoc, blob) inherit its policy, which
 * does not allow the inline styles of mails. So the console's frame loads an empty document of this server with its own
 * policy ({@link dev.vestibule.page.preview.PreviewHandler#frame}): it allows styles but no scripts or forms, and also
 * a sandbox in which nothing can run. The console writes the draft's markup into that document. Nothing about a draft
 * is stored or part of a URL, any node can serve it, and typing leaves no entries in the browser's history.
 */
@NullMarked
package dev.vestibule.page.preview;

import org.jspecify.annotations.NullMarked;
