package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.util.NetUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.1, 10.0.0.2, false",
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.1.128/25, 192.168.1.128, true",
        "192.168.1.128/25, 192.168.1.127, false",
        "10.1.2.3/8, 10.9.9.9, true",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::1, ::1, true",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe80::1, false",
        "2001:db8::/33, 2001:db8:7fff::, true",
        "2001:db8::/33, 2001:db8:8000::, false",
        "10.0.0.0/8, ::ffff:10.1.1.1, true",
    })
    void aRangeContainsItsAddressesAndNoOthers(String range, String address, boolean inside) {
        assertThat(AddressRange.parse(range).contains(NetUtil.createInetAddressFromIpAddressString(address)))
                .isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost", "10.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "1.2.3.4/8/8"})
    void anInvalidAddressIsRefusedWithoutALookup(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> AddressRange.parse(text));
    }

    @Test
    void itsTextIsItsNetwork() {
        assertThat(AddressRange.parse("10.0.0.0/8")).hasToString("10.0.0.0/8");
        assertThat(AddressRange.parse("10.0.0.1")).hasToString("10.0.0.1/32");
    }
}
