package dev.vestibule.page.hosted;

/** The hosted page and what applications ask about it, for one event loop. */
public record HostedHandlers(
        GetHostedUrlHandler url,
        HostedCallbackHandler callback,
        ShowHostedPageHandler show,
        EnterHostedPageHandler enter,
        ShowHostedLinkHandler link,
        SubmitHostedFormHandler submit,
        LeaveBackupCodesHandler leaveBackupCodes,
        BeginHostedPasskeyHandler beginPasskey,
        LeaveForProviderHandler leaveForProvider,
        ReturnFromProviderHandler returnFromProvider,
        GetHostedStyleHandler style) {}
