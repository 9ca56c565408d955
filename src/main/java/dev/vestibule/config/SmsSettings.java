package dev.vestibule.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The operator's endpoint that sends SMS, to which countries, and how many. */
public record SmsSettings(
        Optional<URI> url,
        Optional<Secret> secret,
        List<String> countries,
        Duration timeout,
        int inFlight,
        Duration pollInterval,
        int perNumberPerDay,
        int perNetworkPerDay,
        int perProjectPerDay) {

    static SmsSettings read(SettingsSection sms) {
        return new SmsSettings(
                sms.optional(
                        "url",
                        SettingType.HTTP_URL,
                        "https://sms.example.com/send",
                        "Your own endpoint, which takes each SMS as a signed POST and passes it on to a carrier. It can"
                                + " be in a private network, since only you can set it. Needs secret and countries."
                                + " Without a url, no project can sign in by SMS."),
                sms.optional(
                        "secret",
                        SettingType.WEBHOOK_SECRET,
                        "<whsec_ and openssl rand -base64 32>",
                        "Signs the requests to url as webhooks are signed (Standard Webhooks), so that the endpoint can"
                                + " tell them from others."),
                sms.list(
                        "countries",
                        SettingType.COUNTRY,
                        "DE, AT, CH",
                        "The countries (ISO 3166-1) whose mobile numbers get SMS. Name those where your users are: SMS"
                                + " fraud sends them to other countries, and you pay."),
                sms.value(
                        "timeoutSeconds",
                        SettingType.seconds(1, 300),
                        "10",
                        "Longest time for the endpoint to accept an SMS; then the attempt counts as failed. An SMS that"
                                + " could not be sent for 10 minutes is dropped."),
                sms.value(
                        "inFlight",
                        SettingType.wholeNumber(1, 64),
                        "8",
                        "Maximum number of SMS that this node sends at once."),
                sms.value(
                        "pollSeconds",
                        SettingType.seconds(1, 300),
                        "1",
                        "How often this node looks for SMS that are due again or that another node left unsent."),
                sms.value(
                        "perNumberPerDay",
                        SettingType.wholeNumber(1, 1000),
                        "10",
                        "SMS to one number per project and day, on all nodes together."),
                sms.value(
                        "perNetworkPerDay",
                        SettingType.wholeNumber(1, 1_000_000),
                        "100",
                        "SMS that one client network asks for per project and day. Many phones of one carrier may share"
                                + " an address."),
                sms.value(
                        "perProjectPerDay",
                        SettingType.wholeNumber(1, 10_000_000),
                        "1000",
                        "SMS of one project per day: the most that fraud can cost you."));
    }
}
