package dev.vestibule.user.organization.scim;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Uuids;
import dev.vestibule.user.organization.scim.ScimFilter.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

/** The part of a statement that compares a row with a filter, and its parameters. */
final class ScimConditions {
    private static final String HOLD = """
            (SELECT count(DISTINCT asked.alternative)
             FROM unnest($%d::int[], $%d::text[], $%d::text[], $%d::text[], $%d::boolean[])
                  AS asked (alternative, attribute, operator, value, is_negated)
             WHERE asked.is_negated = EXISTS (
                 SELECT FROM unnest(CASE asked.attribute
                     %s
                     END) AS held (value)
                 WHERE CASE asked.operator
                     WHEN 'eq' THEN held.value = asked.value
                     WHEN 'co' THEN strpos(held.value, asked.value) > 0
                     WHEN 'sw' THEN starts_with(held.value, asked.value)
                     WHEN 'ew' THEN right(held.value, length(asked.value)) = asked.value
                     WHEN 'gt' THEN held.value > asked.value COLLATE "C"
                     WHEN 'ge' THEN held.value >= asked.value COLLATE "C"
                     WHEN 'lt' THEN held.value < asked.value COLLATE "C"
                     WHEN 'le' THEN held.value <= asked.value COLLATE "C"
                     ELSE held.value IS NOT NULL END)) < $%d""";

    /** The times of a row as the resources have them. */
    static final String CREATED = time("created_at");

    static final String UPDATED = time("updated_at");

    private ScimConditions() {}

    private static String time(String column) {
        return "ARRAY[to_char(" + column + " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')]";
    }

    /**
     * Holds if fewer alternatives fail than the filter has.
     *
     * @param first the number of its first parameter
     * @param held the branches of a CASE, which give the values of an attribute as an array of texts
     */
    static String hold(int first, String held) {
        return HOLD.formatted(first, first + 1, first + 2, first + 3, first + 4, held, first + 5);
    }

    private record Asked(int alternative, Condition condition) {}

    /** The parameters, in their order. */
    static List<Object> parameters(ScimFilter filter) {
        var asked = new ArrayList<Asked>();
        for (int number = 0; number < filter.alternatives().size(); number++) {
            for (var condition : filter.alternatives().get(number)) {
                asked.add(new Asked(number, condition));
            }
        }
        return List.of(
                Rows.column(asked, Asked::alternative, Integer[]::new),
                column(asked, Condition::attribute, String[]::new),
                column(asked, Condition::operator, String[]::new),
                column(asked, Condition::value, String[]::new),
                column(asked, Condition::isNegated, Boolean[]::new),
                (long) filter.alternatives().size());
    }

    private static <T> T[] column(List<Asked> asked, Function<Condition, T> value, IntFunction<T[]> array) {
        return asked.stream().map(one -> value.apply(one.condition())).toArray(array);
    }

    /** The values that keys name for an attribute, as a parameter. */
    static String[] texts(List<Condition> keys, String attribute) {
        return keys.stream()
                .filter(key -> key.attribute().equals(attribute))
                .map(Condition::value)
                .toArray(String[]::new);
    }

    /** The ids that keys name; what is no id belongs to nobody. */
    static UUID[] ids(List<Condition> keys) {
        return keys.stream()
                .filter(key -> key.attribute().equals("id"))
                .flatMap(key -> Uuids.parse(key.value()).stream())
                .toArray(UUID[]::new);
    }
}
