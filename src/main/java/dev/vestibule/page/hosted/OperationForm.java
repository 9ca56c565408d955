package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.Form;
import io.vertx.core.MultiMap;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A form of a page of ours that stands for an operation of the API; an enum lists those of a page. */
interface OperationForm {
    /** The name of the enum's constant. */
    String name();

    /**
     * The parameter in the path of the operation that says what the form is about; empty if it is about what the whole
     * page is about.
     */
    String item();

    /** Its part of the URL. */
    default String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Finds the form of a page by its part of the URL. */
    static <F extends OperationForm> Optional<F> find(F[] forms, String text) {
        return Arrays.stream(forms).filter(form -> form.text().equals(text)).findFirst();
    }

    /** Tells the operation what the form is about. */
    default void nameItem(ApiRequest request, MultiMap entered) {
        if (!item().isEmpty()) {
            request.replacePathParam(item(), Form.value(entered, "item"));
        }
    }
}
