package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;

/** What a proxy has added to a client's header is found, whatever the client wrote before it. */
public final class ForwardedTarget {
    private static final String OF_PROXY = "for=\"[2001:db8::1]:4711\"";

    private ForwardedTarget() {}

    public static void check(String header) {
        var elements = ForwardedElement.splitFromTheRight(header);
        elements.forEach(ForwardedElement::nodeFor);
        var inOrder = new ArrayList<>(elements);
        Collections.reverse(inOrder);
        assertThat(String.join(",", inOrder)).isEqualTo(header);
        var added = ForwardedElement.splitFromTheRight(header + "," + OF_PROXY);
        assertThat(added.get(0)).isEqualTo(OF_PROXY);
        assertThat(ForwardedElement.nodeFor(added.get(0))).isEqualTo("[2001:db8::1]:4711");
    }
}
