package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.BotSettings.CaptchaDemand;
import dev.vestibule.project.BotSettings.DisposableEmailRule;
import dev.vestibule.project.FactorSettings.MfaRequirement;
import dev.vestibule.project.OrganizationSettings.OrganizationCreation;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads projects from rows and changes from requests, and writes responses, all from the {@link ProjectSetting}
 * annotations of {@link Project}. Code that serves users reads the record.
 */
final class ProjectMapping {
    /**
     * How settings of one Java type are handled.
     *
     * @param ofRow reads the column
     * @param field what a request can send
     * @param toColumn converts the value of a request for the column
     * @param toResponse converts the value of the record for the response
     */
    private record Type(
            BiFunction<Row, String, @Nullable Object> ofRow,
            BiFunction<ProjectSetting, Instant, FieldType<?>> field,
            Function<Object, @Nullable Object> toColumn,
            Function<Object, Object> toResponse) {}

    private static final Map<Class<?>, Type> TYPES = Map.ofEntries(
            Map.entry(ProjectId.class, fixed((row, column) -> new ProjectId(row.getUUID(column)))),
            Map.entry(Environment.class, fixed((row, column) -> Environment.of(row.getString(column)))),
            Map.entry(Instant.class, fixed(Rows::instant)),
            Map.entry(boolean.class, type(Row::getBoolean, setting -> FieldType.bool())),
            Map.entry(int.class, type(Row::getInteger, ProjectMapping::number)),
            Map.entry(String.class, type(Row::getString, setting -> FieldType.text(setting.rule()))),
            Map.entry(
                    List.class,
                    type(
                            (row, column) -> List.of(row.getArrayOfStrings(column)),
                            setting -> FieldType.strings(setting.max(), setting.rule()))),
            Map.entry(Language.class, choice(Language::of, Language::text)),
            Map.entry(
                    Duration.class,
                    new Type(
                            Rows::optionalSeconds,
                            (setting, now) -> number(setting),
                            seconds -> seconds,
                            duration -> ((Duration) duration).toSeconds())),
            Map.entry(CaptchaDemand.class, choice(CaptchaDemand::of, CaptchaDemand::text)),
            Map.entry(CaptchaProvider.class, choice(CaptchaProvider::of, CaptchaProvider::text)),
            Map.entry(DisposableEmailRule.class, choice(DisposableEmailRule::of, DisposableEmailRule::text)),
            Map.entry(OrganizationCreation.class, choice(OrganizationCreation::of, OrganizationCreation::text)),
            Map.entry(
                    OrganizationRoles.class,
                    new Type(
                            (row, column) -> OrganizationRoles.stored(row.getJsonObject(column)),
                            (setting, now) -> OrganizationRoles.field(),
                            roles -> ((OrganizationRoles) roles).toStore(),
                            roles -> ((OrganizationRoles) roles).declared())),
            Map.entry(
                    MfaRequirement.class,
                    new Type(
                            (row, column) -> new MfaRequirement(Rows.optionalInstant(row, column)),
                            (setting, now) -> FieldType.text(text -> MfaRequirement.of(text, now)),
                            requirement -> ((MfaRequirement) requirement).since(),
                            requirement -> requirement)));

    private static FieldType<Integer> number(ProjectSetting setting) {
        return FieldType.integer(setting.min(), setting.max());
    }

    private static Type type(
            BiFunction<Row, String, @Nullable Object> ofRow, Function<ProjectSetting, FieldType<?>> field) {
        return new Type(ofRow, (setting, now) -> field.apply(setting), value -> value, value -> value);
    }

    private static Type fixed(BiFunction<Row, String, @Nullable Object> ofRow) {
        return type(ofRow, setting -> {
            throw new IllegalStateException(setting.column());
        });
    }

    /** One of a few values, each with a text. */
    private static <T> Type choice(Function<String, T> ofText, Function<T, String> text) {
        return type(
                (row, column) -> {
                    var stored = row.getString(column);
                    return stored == null ? null : ofText.apply(stored);
                },
                setting -> FieldType.text(given -> text.apply(ofText.apply(given))));
    }

    /** A record component with its setting and the accessor of its value. */
    private record DeclaredSetting(
            RecordComponent component, ProjectSetting setting, Function<Project, @Nullable Object> value) {
        private String field() {
            return setting.field().isEmpty() ? component.getName() : setting.field();
        }

        /** The object that has the field, or empty for a field of the project itself. */
        private String object() {
            return field().substring(0, Math.max(field().indexOf('.'), 0));
        }

        private String name() {
            return field().substring(field().indexOf('.') + 1);
        }

        private String topName() {
            return object().isEmpty() ? name() : object();
        }

        private Type type() {
            return typeOf(component);
        }

        private Change<?> change(Fields fields, Instant now) {
            var rule = type().field().apply(setting, now);
            return component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                    ? fields.change(name(), rule)
                    : fields.replacement(name(), rule);
        }

        private @Nullable Object response(Project project) {
            var set = value.apply(project);
            return set == null ? null : type().toResponse().apply(set);
        }
    }

    private static final List<DeclaredSetting> SETTINGS = declared(Project.class, project -> project);

    /** The columns of all settings, for a SELECT. */
    static final String COLUMNS = columns(declared -> true);

    /** For an UPDATE, without the columns that the statement sets with rules of its own. */
    static final String CHANGED_COLUMNS = columns(
            declared -> !declared.setting().fixed() && declared.component().getType() != MfaRequirement.class);

    /** The fields of requests that change nothing but harmless settings. */
    static final Set<String> HARMLESS = SETTINGS.stream()
            .map(DeclaredSetting::topName)
            .filter(ProjectMapping::isHarmless)
            .collect(Collectors.toUnmodifiableSet());

    private ProjectMapping() {}

    private static List<DeclaredSetting> declared(Class<?> type, Function<Project, @Nullable Object> holder) {
        var found = new ArrayList<DeclaredSetting>();
        for (var component : type.getRecordComponents()) {
            Function<Project, @Nullable Object> value = project -> value(component, holder.apply(project));
            var setting = component.getAnnotation(ProjectSetting.class);
            if (setting != null) {
                found.add(new DeclaredSetting(component, setting, value));
            } else if (component.getType().isRecord()) {
                found.addAll(declared(component.getType(), value));
            }
        }
        return List.copyOf(found);
    }

    private static Type typeOf(RecordComponent component) {
        var type = TYPES.get(component.getType());
        if (type == null) {
            throw new IllegalStateException("settings cannot be of the type of " + component);
        }
        return type;
    }

    private static boolean isHarmless(String topName) {
        return SETTINGS.stream()
                .filter(declared -> declared.topName().equals(topName))
                .allMatch(declared -> declared.setting().harmless());
    }

    private static String columns(Predicate<DeclaredSetting> which) {
        return SETTINGS.stream()
                .filter(which)
                .map(declared -> declared.setting().column())
                .collect(Collectors.joining(", "));
    }

    /** The project of a row with {@link #COLUMNS}. */
    static Project read(Row row, List<ClaimRule> defaultClaims) {
        return (Project) read(Project.class, row, defaultClaims);
    }

    private static Object read(Class<?> type, Row row, List<ClaimRule> defaultClaims) {
        var components = type.getRecordComponents();
        var values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            var setting = components[i].getAnnotation(ProjectSetting.class);
            if (setting != null) {
                values[i] = typeOf(components[i]).ofRow().apply(row, setting.column());
            } else {
                values[i] = components[i].getType().isRecord()
                        ? read(components[i].getType(), row, defaultClaims)
                        : defaultClaims;
            }
        }
        try {
            return type.getConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(values);
        } catch (ReflectiveOperationException failure) {
            throw new LinkageError(type.getName(), failure);
        }
    }

    private static @Nullable Object value(RecordComponent component, @Nullable Object holder) {
        try {
            return component.getAccessor().invoke(holder);
        } catch (ReflectiveOperationException failure) {
            throw new LinkageError(component.toString(), failure);
        }
    }

    /** The new values of the settings in a request, by column; null clears one. */
    static JsonObject changes(Fields fields, Instant now) {
        var objects = new LinkedHashMap<String, Fields>();
        objects.put("", fields);
        var changes = new JsonObject();
        for (var declared : SETTINGS) {
            if (!declared.setting().fixed()) {
                var change = declared.change(objects.computeIfAbsent(declared.object(), fields::object), now);
                if (change.isMade()) {
                    var value = change.value();
                    changes.put(
                            declared.setting().column(),
                            value == null ? null : declared.type().toColumn().apply(value));
                }
            }
        }
        return changes;
    }

    /** The project as the API returns it to a member, with the member's own role. */
    static Map<String, @Nullable Object> response(Project project, String role) {
        var response = new LinkedHashMap<String, @Nullable Object>();
        var objects = new LinkedHashMap<String, Map<String, @Nullable Object>>();
        objects.put("", response);
        for (var declared : SETTINGS) {
            objects.computeIfAbsent(declared.object(), name -> {
                        var object = new LinkedHashMap<String, @Nullable Object>();
                        response.put(name, object);
                        return object;
                    })
                    .put(declared.name(), declared.response(project));
            if (declared.name().equals("environment")) {
                response.put("role", role);
            }
        }
        return response;
    }
}
