package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.unboundid.scim2.common.Path;
import com.unboundid.scim2.common.filters.FilterType;
import dev.vestibule.error.ApiException;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.json.Uuids;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.scim.ScimPatch.Kind;
import dev.vestibule.user.organization.scim.ScimPatch.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A group of a directory, without its members. */
record ScimGroup(UUID id, String name, @Nullable String externalId, Instant createdAt, Instant updatedAt) {
    private static final Set<String> IGNORED = Set.of("id", "schemas", "meta");

    /** What a request sets; members are null if it says nothing of them. */
    record Given(
            String name,
            @Nullable String externalId,
            @Nullable Set<UserId> members) {
        static Given read(ObjectNode body) {
            var resource = ScimJson.caseless(body);
            var name = ScimJson.text(resource, "displayName", ScimJson::line);
            if (name == null) {
                throw ScimErrors.invalidValue("displayName is required");
            }
            return new Given(
                    name, ScimJson.text(resource, "externalId", ScimJson::line), users(resource.path("members")));
        }

        String nameKey() {
            return UnicodeText.lower(name);
        }
    }

    /** One step of a change: other names, or other members. */
    sealed interface Step {}

    record Named(
            @Nullable String name,
            boolean setsExternalId,
            @Nullable String externalId) implements Step {}

    /** Replaces the members, or adds or removes these. */
    record Members(Kind kind, Set<UserId> users) implements Step {}

    /** The operations of a PATCH; those that add or remove one member after the other become one step, which grows. */
    static List<Step> steps(List<Operation> operations) {
        var steps = new ArrayList<Step>();
        for (var one : operations) {
            var step = step(one);
            var last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
            if (step instanceof Members more
                    && last instanceof Members before
                    && more.kind() == before.kind()
                    && more.kind() != Kind.REPLACE) {
                before.users().addAll(more.users());
            } else if (step instanceof Members first) {
                steps.add(new Members(first.kind(), new LinkedHashSet<>(first.users())));
            } else if (step != null) {
                steps.add(step);
            }
        }
        return steps;
    }

    private static @Nullable Step step(Operation one) {
        var name = UnicodeText.lowerAscii(ScimFilter.name(one.path()));
        var value = one.kind() == Kind.REMOVE ? null : one.value();
        return switch (name) {
            case "displayname" -> new Named(text(value, "displayName"), false, null);
            case "externalid" -> new Named(null, true, value == null ? null : text(value, "externalId"));
            case "members" -> members(one);
            default -> {
                if (IGNORED.contains(name)) {
                    yield null;
                }
                throw ScimErrors.invalidPath("Groups have displayName, externalId and members.");
            }
        };
    }

    private static @Nullable String text(@Nullable JsonNode value, String name) {
        var wrapped = ScimJson.object();
        if (value != null) {
            wrapped.set(name, value);
        }
        var text = ScimJson.text(wrapped, name, ScimJson::line);
        if (text == null && name.equals("displayName")) {
            throw ScimErrors.invalidValue("displayName is required");
        }
        return text;
    }

    private static Members members(Operation one) {
        var filtered = filtered(one.path());
        if (filtered != null) {
            if (one.kind() != Kind.REMOVE) {
                throw ScimErrors.invalidPath("Members can be removed by such a path, and not changed.");
            }
            return new Members(Kind.REMOVE, Set.of(filtered));
        }
        var given = users(one.value());
        return given == null
                ? new Members(one.kind() == Kind.ADD ? Kind.ADD : Kind.REPLACE, Set.of()) // removes all
                : new Members(one.kind(), given);
    }

    /** The user in {@code members[value eq "…"]}; null without a filter. */
    private static @Nullable UserId filtered(Path path) {
        var filter = path.getElement(0).getValueFilter();
        if (filter == null) {
            return null;
        }
        var compared = filter.getFilterType() == FilterType.EQUAL
                        && ScimFilter.name(filter.getAttributePath()).equalsIgnoreCase("value")
                ? filter.getComparisonValue()
                : null;
        if (path.size() != 1 || compared == null || !compared.isTextual()) {
            throw ScimErrors.invalidPath("A path can find members by value eq alone.");
        }
        return user(compared.textValue());
    }

    private static @Nullable Set<UserId> users(JsonNode given) {
        if (given.isMissingNode() || given.isNull()) {
            return null;
        }
        var list = given.isArray() ? given : ScimJson.array().add(given);
        var users = new LinkedHashSet<UserId>();
        for (var one : list) {
            var value = one.isTextual() ? one : one.path("value");
            if (!value.isTextual()) {
                throw ScimErrors.invalidValue("members must have the ids of users as their values");
            }
            users.add(user(value.textValue()));
        }
        return users;
    }

    private static UserId user(String text) {
        return new UserId(Uuids.parse(text).orElseThrow(ScimGroup::unknownMember));
    }

    static ApiException unknownMember() {
        return ScimErrors.invalidValue("members must be users of this directory");
    }
}
