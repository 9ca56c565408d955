package dev.vestibule.telemetry.log;

import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.vestibule.http.RequestRecord;
import java.util.Map;

/**
 * The mapped diagnostic context of log events: the id of the request that the calling thread is handling. It is looked
 * up when a line is logged; the usual context, which belongs to a thread, would be another request's after each
 * asynchronous step.
 */
@SuppressWarnings("unchecked") // a method of LogbackMDCAdapter returns a raw map
final class RequestContext extends LogbackMDCAdapter {
    private static final String REQUEST_ID = "requestId";

    @Override
    public Map<String, String> getPropertyMap() {
        var record = RequestRecord.current();
        return record == null ? Map.of() : Map.of(REQUEST_ID, record.id());
    }
}
