package dev.vestibule.config;

import java.time.Duration;
import java.util.Optional;

/** Where the records are looked up that prove domains of organizations. */
public record DomainSettings(Optional<String> dnsHost, int dnsPort, Duration timeout) {
    static DomainSettings read(SettingsSection domains) {
        return new DomainSettings(
                domains.optional(
                        "dnsHost",
                        SettingType.HOST,
                        "192.0.2.53",
                        "The DNS server that looks up the records. Default: that of this machine. Who can forge its"
                                + " answers can prove any domain, so it should be near, or verify DNSSEC."),
                domains.value("dnsPort", SettingType.wholeNumber(1, 65535), "53", "The port of dnsHost."),
                domains.value(
                        "timeoutSeconds", SettingType.seconds(1, 30), "5", "Longest time for a DNS server to answer."));
    }
}
