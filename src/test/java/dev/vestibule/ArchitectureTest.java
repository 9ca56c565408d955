package dev.vestibule;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.vestibule.database.Sql;
import dev.vestibule.server.ManagementVerticle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.sqlclient.Query;
import io.vertx.sqlclient.SqlClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The architecture rules; the base package's {@code package-info.java} has the same map in words. */
@AnalyzeClasses(packages = "dev.vestibule", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String BASE = "dev.vestibule";

    /**
     * All rooms, each with the rooms that it may use. These come before it in this list, so there are no cycles. From
     * {@code project} on, rooms may also use the whole floor, which is the part before. A room's handlers answer
     * requests, so they may use {@code access} and {@code journal} too, and the rooms after {@code andHandlers}.
     */
    private static final Map<String, Room> ROOMS = rooms(
            room("error"),
            room("config", "error"),
            room("json", "error"),
            room("crypto.foreign", "error"),
            room("telemetry.trace"),
            room("crypto", "crypto.foreign", "error", "telemetry.trace"),
            room("http.limits", "config"),
            room("telemetry.metrics", "crypto", "error"),
            room("database.embedded"),
            room("database", "config", "database.embedded", "error", "telemetry.trace"),
            room("database.backup", "config", "database", "database.embedded"),
            room("http", "config", "crypto", "error", "json", "http.limits"),
            room("outbound", "config", "error", "json", "telemetry.trace"),
            room("telemetry.log", "config", "http"),
            room("telemetry.trace.otlp", "config", "error", "http", "telemetry.trace"),
            // the nouns
            room("project")
                    .andHandlers("access.captcha", "mail", "project.member", "session", "token", "user", "webhook"),
            room("project.branding", "project"),
            room("project.budget", "project"),
            room("project.transfer", "project"),
            room("project.statistics", "project"),
            room("journal", "project", "project.statistics").andHandlers("user"),
            room("journal.audit", "journal", "project").andHandlers("user", "user.exports"),
            room("user", "journal", "project")
                    .andHandlers("authentication", "oauth.catalogue", "project.member", "session", "user.imports"),
            room("user.password", "project", "user"),
            room("session", "journal", "project", "user").andHandlers("token"),
            room("project.member", "journal", "project", "project.budget", "session", "user")
                    .andHandlers("mail"),
            room("token", "project", "session", "user"),
            room("token.template", "project", "token").andHandlers("session", "user"),
            room("token.revocation", "project"),
            // identity providers, and nobody who signs in
            room("oauth.catalogue"),
            room("oauth.provider", "oauth.catalogue", "project", "project.branding")
                    .andHandlers("oauth.client"),
            room("oauth.jose"),
            room("oauth.client", "oauth.catalogue", "oauth.jose", "oauth.provider", "user"),
            room("oauth.identity", "journal", "oauth.catalogue", "oauth.client", "project", "session", "user"),
            room(
                            "user.organization",
                            "journal",
                            "oauth.catalogue",
                            "oauth.provider",
                            "project",
                            "project.member",
                            "session",
                            "user")
                    .andHandlers("authentication", "authentication.oauth", "mail", "token"),
            room("user.organization.directory", "journal", "project", "user.organization"),
            // outlets
            room(
                    "mail",
                    "journal",
                    "project",
                    "project.branding",
                    "project.budget",
                    "project.member",
                    "session",
                    "user",
                    "user.organization"),
            room("mail.sms", "mail", "project", "project.budget", "session", "user"),
            room("webhook", "journal", "project").andHandlers("project.statistics"),
            room("webhook.delivery", "project", "project.statistics", "webhook"),
            // who is calling
            room("access.captcha", "project"),
            room(
                    "access",
                    "access.captcha",
                    "journal",
                    "project",
                    "project.member",
                    "session",
                    "token",
                    "user",
                    "user.organization.directory"),
            room("project.administration", "journal", "project", "project.member", "user"),
            // ways in
            room("authentication.passkey", "journal", "mail", "project", "session", "token", "user"),
            room("authentication.factor", "journal", "mail", "project", "session", "token", "user")
                    .andHandlers("authentication.passkey"),
            room(
                    "authentication.wallet",
                    "authentication.factor",
                    "journal",
                    "mail",
                    "project",
                    "session",
                    "token",
                    "user"),
            room(
                            "authentication",
                            "authentication.factor",
                            "authentication.passkey",
                            "authentication.wallet",
                            "journal",
                            "mail",
                            "mail.sms",
                            "oauth.identity",
                            "project",
                            "session",
                            "token",
                            "user",
                            "user.organization",
                            "user.password")
                    .andHandlers("authentication.password", "project.member"),
            room(
                    "authentication.phone",
                    "journal",
                    "authentication.factor",
                    "mail",
                    "mail.sms",
                    "project",
                    "session",
                    "token",
                    "user"),
            room("user.key", "journal", "project", "user", "user.organization").andHandlers("mail", "session", "token"),
            room(
                    "user.organization.scim",
                    "authentication",
                    "journal",
                    "mail",
                    "project",
                    "session",
                    "user",
                    "user.organization",
                    "user.organization.directory"),
            room("user.exports", "oauth.catalogue", "project", "user").andHandlers("project.member"),
            room("user.imports", "journal", "oauth.catalogue", "project", "user", "user.password"),
            room(
                            "authentication.dashboard",
                            "journal",
                            "authentication",
                            "mail",
                            "project",
                            "project.member",
                            "session",
                            "token",
                            "user",
                            "user.password")
                    .andHandlers("authentication.email"),
            room(
                            "authentication.email",
                            "journal",
                            "authentication",
                            "authentication.factor",
                            "mail",
                            "project",
                            "session",
                            "token",
                            "user",
                            "user.organization")
                    .andHandlers("authentication.password"),
            room(
                            "authentication.passwordless",
                            "journal",
                            "authentication",
                            "authentication.factor",
                            "mail",
                            "project",
                            "session",
                            "token",
                            "user")
                    .andHandlers("authentication.phone"),
            room(
                            "authentication.password",
                            "journal",
                            "authentication",
                            "mail",
                            "project",
                            "session",
                            "user",
                            "user.password")
                    .andHandlers("token"),
            room(
                    "authentication.reauthentication",
                    "journal",
                    "authentication.factor",
                    "authentication.passkey",
                    "authentication.password",
                    "mail",
                    "project",
                    "session",
                    "token",
                    "user"),
            room(
                    "authentication.oauth",
                    "journal",
                    "authentication",
                    "authentication.factor",
                    "mail",
                    "oauth.catalogue",
                    "oauth.client",
                    "oauth.identity",
                    "oauth.provider",
                    "project",
                    "project.branding",
                    "session",
                    "token",
                    "user",
                    "user.organization"),
            room(
                            "oauth.server",
                            "access",
                            "authentication.oauth",
                            "journal",
                            "oauth.jose",
                            "project",
                            "project.budget",
                            "session",
                            "token",
                            "user",
                            "user.key",
                            "webhook.delivery")
                    .andHandlers("webhook"),
            // what people look at
            room("page").andHandlers("mail"),
            room("page.console").andHandlers("page"),
            room("page.documentation", "page"),
            room(
                            "page.hosted",
                            "access",
                            "journal",
                            "authentication.factor",
                            "authentication.oauth",
                            "access.captcha",
                            "oauth.server",
                            "page",
                            "project",
                            "project.branding",
                            "session",
                            "token",
                            "user")
                    .andHandlers(
                            "authentication",
                            "authentication.dashboard",
                            "authentication.email",
                            "authentication.passkey",
                            "authentication.password",
                            "authentication.passwordless",
                            "authentication.phone",
                            "authentication.wallet",
                            "mail",
                            "oauth.catalogue",
                            "user.organization",
                            "user.organization.directory"),
            room("page.preview").andHandlers("mail", "page.hosted", "project", "project.branding"));

    private static final Set<String> FLOOR = Set.of(
            "error",
            "config",
            "json",
            "crypto",
            "crypto.foreign",
            "http.limits",
            "database",
            "database.backup",
            "database.embedded",
            "http",
            "outbound",
            "telemetry.metrics",
            "telemetry.trace");

    private static final Set<String> HANDLERS_USE = Set.of("access", "journal");

    @ArchTest
    static void theMapInTheBasePackageNamesEveryRoom(JavaClasses all) throws IOException {
        var map = Files.readString(Path.of("src/main/java/dev/vestibule/package-info.java"));
        assertThat(ROOMS.keySet())
                .allSatisfy(room -> assertThat(map)
                        .containsAnyOf(
                                "{@code " + room + "}", "{@code " + room.substring(room.lastIndexOf('.') + 1) + "}"));
    }

    /**
     * Handlers, and the module that builds a room, are its front door: only other front doors and the top use them, so
     * what they use can close no circle of rooms.
     */
    @ArchTest
    static final ArchRule roomsUseOnlyTheRoomsThatTheirLineNames = classes()
            .that(DescribedPredicate.describe("are in a room", type -> !isTop(type)))
            .should(useOnlyRoomsOfTheirLine());

    /** Handlers may know each other's rooms, but no class may need itself by way of others. */
    @ArchTest
    static final ArchRule classesFormNoCycles = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                    return type.getPackageName().startsWith(BASE)
                            ? SliceIdentifier.of(outermost(type).getName())
                            : SliceIdentifier.ignore();
                }

                @Override
                public String getDescription() {
                    return "top-level classes";
                }
            })
            .should()
            .beFreeOfCycles();

    @ArchTest
    static void noLineNamesARoomThatNobodyThereUses(JavaClasses classes) {
        for (var room : ROOMS.values()) {
            var byHandlers = usedIn(room, classes, true);
            var byOthers = usedIn(room, classes, false);
            assertThat(byOthers).as("used in %s", room.name()).containsAll(room.uses());
            assertThat(byHandlers).as("used by the handlers of %s", room.name()).containsAll(room.handlersUse());
        }
    }

    private static Set<String> usedIn(Room room, JavaClasses classes, boolean byFrontDoors) {
        return classes.stream()
                .filter(type -> roomOf(type).equals(room.name()) && isFrontDoor(type) == byFrontDoors)
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(Dependency::getTargetClass)
                .filter(used -> used.getPackageName().startsWith(BASE))
                .map(ArchitectureTest::roomOf)
                .collect(Collectors.toSet());
    }

    @ArchTest
    static void thereAreAtMostTwentyTopLevelRooms(JavaClasses classes) {
        var top = classes.stream()
                .map(ArchitectureTest::roomOf)
                .filter(room -> !room.isEmpty())
                .map(room -> room.split("\\.", -1)[0])
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(top).hasSizeLessThanOrEqualTo(20);
        assertThat(top).as("twins, such as user and users").noneMatch(room -> top.contains(room + "s"));
    }

    private record Room(String name, Set<String> uses, Set<String> handlersUse) {
        Room andHandlers(String... uses) {
            return new Room(name, this.uses, Set.of(uses));
        }

        boolean lets(JavaClass type, JavaClass used) {
            var usedRoom = roomOf(used);
            if (usedRoom.equals(name) || uses.contains(usedRoom)) {
                return isFrontDoor(type) || !isFrontDoor(used);
            }
            if (FLOOR.contains(usedRoom) && !FLOOR.contains(name)) {
                return true;
            }
            var isBuiltHere = isModule(type) && (isModule(used) || usedRoom.startsWith(name + "."));
            return isFrontDoor(type)
                    && (isBuiltHere || HANDLERS_USE.contains(usedRoom) || handlersUse.contains(usedRoom));
        }
    }

    private static Room room(String name, String... uses) {
        return new Room(name, Set.of(uses), Set.of());
    }

    private static Map<String, Room> rooms(Room... rooms) {
        var above = new LinkedHashMap<String, Room>();
        for (var room : rooms) {
            if (!above.keySet().containsAll(room.uses())) {
                throw new IllegalStateException(room.name() + " uses a room that does not come before it: "
                        + room.uses().stream()
                                .filter(used -> !above.containsKey(used))
                                .toList());
            }
            above.put(room.name(), room);
        }
        return above;
    }

    private static ArchCondition<JavaClass> useOnlyRoomsOfTheirLine() {
        return new ArchCondition<>("use only the rooms that their room's line names") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                var room = ROOMS.get(roomOf(type));
                if (room == null) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " is in a room without a line"));
                    return;
                }
                for (var dependency : type.getDirectDependenciesFromSelf()) {
                    var used = dependency.getTargetClass();
                    if (used.getPackageName().startsWith(BASE) && (isTop(used) || !room.lets(type, used))) {
                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isTop(JavaClass type) {
        var room = roomOf(type);
        return type.getPackageName().startsWith(BASE)
                && (room.isEmpty() || room.equals("server") || room.startsWith("server."));
    }

    private static boolean isFrontDoor(JavaClass type) {
        return isModule(type)
                || (outermost(type).getSimpleName().endsWith("Handler")
                        && !Set.of("http", "access").contains(roomOf(type)));
    }

    private static boolean isModule(JavaClass type) {
        return outermost(type).getSimpleName().endsWith("Module");
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }

    /** The package below the base package. */
    private static String roomOf(JavaClass type) {
        var name = type.getPackageName();
        return name.length() <= BASE.length() ? "" : name.substring(BASE.length() + 1);
    }

    @ArchTest
    static final ArchRule requestsAreHandledInHandlersAlone = noClasses()
            .that()
            .resideOutsideOfPackages("dev.vestibule.http", "dev.vestibule.server", "dev.vestibule.access")
            .and()
            .haveSimpleNameNotEndingWith("Handler")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.ext.web..");

    @ArchTest
    static final ArchRule statementsRunInStoresAlone = noClasses()
            .that()
            .resideOutsideOfPackage("dev.vestibule.database..")
            .and()
            .haveSimpleNameNotEndingWith("Store")
            .should()
            .callMethodWhere(onAny(SqlClient.class, nameMatching("(query|preparedQuery|prepare)")))
            .orShould()
            .callMethodWhere(onAny(Query.class, nameMatching(".*")))
            .orShould()
            .callMethodWhere(onAny(Sql.class, name("run")));

    @ArchTest
    static final ArchRule storesHoldNoClient = noFields()
            .that()
            .areDeclaredInClassesThat()
            .haveSimpleNameEndingWith("Store")
            .should()
            .haveRawType(assignableTo(SqlClient.class));

    @ArchTest
    static final ArchRule theEnvironmentIsReadInOnePlace = noClasses()
            .that()
            .resideOutsideOfPackage("dev.vestibule.config")
            .and()
            .doNotBelongToAnyOf(Main.class)
            .should()
            .callMethodWhere(onAny(System.class, name("getenv")));

    @ArchTest
    static final ArchRule timeComesFromTheClock = noClasses()
            .should()
            .callMethodWhere(noArguments(name("now")))
            .orShould()
            .callMethodWhere(onAny(System.class, name("currentTimeMillis")))
            .orShould()
            .callConstructor(Date.class);

    @ArchTest
    static final ArchRule theClockIsMadeInMain = noClasses()
            .that()
            .doNotBelongToAnyOf(Main.class)
            .should()
            .callMethodWhere(onAny(Clock.class, nameMatching("system.*|tick.*")))
            .orShould()
            .callMethodWhere(onAny(InstantSource.class, name("system")));

    @ArchTest
    static final ArchRule onlyTheFloorMeasuresTimeSpans = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.vestibule.crypto", "dev.vestibule.database..", "dev.vestibule.http", "dev.vestibule.outbound")
            .should()
            .callMethodWhere(onAny(System.class, name("nanoTime")));

    @ArchTest
    static final ArchRule blockingHappensInOnePlace = noClasses()
            .that()
            .doNotBelongToAnyOf(ManagementVerticle.class)
            .should()
            .callMethodWhere(onAny(Vertx.class, name("executeBlocking")))
            .orShould()
            .callMethodWhere(onAny(Context.class, name("executeBlocking")))
            .orShould()
            .callMethodWhere(onAny(WorkerExecutor.class, name("executeBlocking")));

    @ArchTest
    static final ArchRule futuresAreAwaitedInCommandsAndWhereTheServerStarts = noClasses()
            .that()
            .doNotBelongToAnyOf(Server.class)
            .and()
            .resideOutsideOfPackage("dev.vestibule.server.command")
            .should()
            .callMethodWhere(onAny(Future.class, name("await")));

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .should()
            .haveSimpleNameEndingWith("Impl")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Service");

    /**
     * A record names what it holds, so it may be as wide as the row, the settings or the JSON object that it stands
     * for.
     */
    @ArchTest
    static final ArchRule nothingButARecordTakesMoreThanEightParameters = codeUnits()
            .that(DescribedPredicate.describe(
                    "are no constructors of records",
                    unit -> !(unit.isConstructor() && unit.getOwner().isRecord())))
            .should(ArchCondition.from(
                    DescribedPredicate.describe("have at most eight parameters", unit -> parameters(unit) <= 8)));

    private static int parameters(JavaCodeUnit unit) {
        var all = unit.getRawParameterTypes().size();
        var hasOuter = unit.isConstructor() && unit.getOwner().isInnerClass(); // the first is the object around it
        return hasOuter ? all - 1 : all;
    }

    private static DescribedPredicate<JavaCall<?>> onAny(Class<?> type, DescribedPredicate<HasName> method) {
        return target(owner(assignableTo(type))).and(target(method));
    }

    private static DescribedPredicate<JavaCall<?>> noArguments(DescribedPredicate<HasName> method) {
        return target(owner(DescribedPredicate.describe(
                        "of java.time", type -> type.getPackageName().startsWith("java.time"))))
                .and(target(method))
                .and(DescribedPredicate.describe(
                        "without a clock",
                        call -> call.getTarget().getRawParameterTypes().stream()
                                .noneMatch(parameter -> parameter.isAssignableTo(Clock.class))));
    }
}
