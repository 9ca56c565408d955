package dev.vestibule.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.Violation;
import dev.vestibule.project.ProjectId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The project id in a request's query, in its body or in both. */
record ProjectParameter(List<String> texts) {
    private static final String FIELD = "projectId";

    static ProjectParameter of(@Nullable String inQuery, Optional<ObjectNode> body) {
        var texts = new ArrayList<String>();
        if (inQuery != null) {
            texts.add(inQuery);
        }
        body.map(object -> object.get(FIELD)).filter(node -> !node.isNull()).ifPresent(node -> {
            if (!node.isTextual()) {
                throw invalid("must be a string");
            }
            texts.add(node.textValue());
        });
        return new ProjectParameter(List.copyOf(texts));
    }

    /** A 422 if there is none, or if there are two that differ. */
    String required() {
        if (texts.isEmpty()) {
            throw invalid("is required with a dashboard user's access token");
        }
        if (texts.size() > 1 && !texts.get(0).equalsIgnoreCase(texts.get(1))) {
            throw invalid("must be the same in the query and in the body");
        }
        return texts.get(0);
    }

    /** A 403 if it is not the project that something else in the request determines. */
    void requireSame(ProjectId project, String determinedBy) {
        if (!texts.stream().allMatch(text -> ProjectId.parse(text).equals(Optional.of(project)))) {
            throw ApiException.of(
                    ErrorCode.PROJECT_MISMATCH, "The " + determinedBy + " and projectId belong to different projects.");
        }
    }

    private static ApiException invalid(String why) {
        return ApiException.invalid(List.of(new Violation(FIELD, why)));
    }
}
