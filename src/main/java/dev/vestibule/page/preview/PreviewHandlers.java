package dev.vestibule.page.preview;

import dev.vestibule.crypto.HashingPool;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailPreview;
import dev.vestibule.page.hosted.HostedPreview;

/** The handlers of previews, for one event loop. */
public record PreviewHandlers(PreviewBrandingHandler branding, GetPreviewFrameHandler frame) {
    public PreviewHandlers(Database database, HashingPool workers, HostedPreview page, MailPreview mails) {
        this(new PreviewBrandingHandler(database, workers, page, mails), new GetPreviewFrameHandler());
    }
}
