package dev.vestibule;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
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
     * {@code project} on, rooms may also use the whole floor, which is the part before.
     */
    private static final Map<String, Set<String>> ROOMS = rooms(
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
            room("database.backup", "config", "database", "database.embedded", "error"),
            room("http", "config", "crypto", "error", "json", "http.limits"),
            room("outbound", "config", "error", "json", "telemetry.trace"),
            room("telemetry.log", "config", "http"),
            room("telemetry.trace.otlp", "config", "error", "http", "telemetry.trace"),
            // the nouns
            room("project"),
            room("project.branding", "project"),
            room("project.budget", "project"),
            room("project.transfer", "project"),
            room("project.statistics", "project"),
            room("journal", "project", "project.statistics"),
            room("journal.audit", "journal", "project"),
            room("user", "journal", "project"),
            room("user.password", "project", "user"),
            room("session", "journal", "project", "user"),
            room("project.member", "journal", "project", "project.budget", "session", "user"),
            room("token", "project", "session", "user"),
            room("token.template", "project", "session", "token", "user"),
            room("token.revocation", "project"),
            // identity providers, and nobody who signs in
            room("oauth.catalogue"),
            room("oauth.provider", "oauth.catalogue", "project", "project.branding"),
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
                    "user"),
            room("user.organization.directory", "journal", "project", "user", "user.organization"),
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
            room("webhook", "journal", "project"),
            room("webhook.delivery", "journal", "project", "project.statistics", "webhook"),
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
            room("project.administration", "access", "journal", "project", "project.member", "user"),
            // ways in
            room("authentication.passkey", "journal", "mail", "project", "session", "token", "user"),
            room("authentication.factor", "journal", "mail", "project", "session", "token", "user"),
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
                    "user.password"),
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
            room("user.key", "access", "journal", "project", "token", "user", "user.organization"),
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
            room("user.exports", "oauth.catalogue", "project", "project.member", "user"),
            room("user.imports", "journal", "oauth.catalogue", "oauth.identity", "project", "user", "user.password"),
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
                    "user.password"),
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
                    "user.organization"),
            room(
                    "authentication.passwordless",
                    "journal",
                    "authentication",
                    "authentication.factor",
                    "mail",
                    "project",
                    "session",
                    "token",
                    "user"),
            room(
                    "authentication.password",
                    "journal",
                    "authentication",
                    "mail",
                    "project",
                    "session",
                    "token",
                    "user",
                    "user.password"),
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
                    "authentication.passkey",
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
                    "session",
                    "token",
                    "user",
                    "user.key",
                    "webhook",
                    "webhook.delivery"),
            // what people look at
            room("page"),
            room("page.console", "page"),
            room("page.documentation", "page"),
            room(
                    "page.hosted",
                    "access",
                    "journal",
                    "authentication.factor",
                    "authentication.oauth",
                    "access.captcha",
                    "mail",
                    "oauth.server",
                    "page",
                    "project",
                    "project.branding",
                    "session",
                    "token",
                    "user"),
            room("page.preview", "mail", "page.hosted", "project", "project.branding"));

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

    /**
     * Handlers and what builds them are the front door of their room: they may use {@code access} and other rooms, and
     * nothing but other front doors and the top uses them.
     */
    @ArchTest
    static final ArchRule roomsUseOnlyTheRoomsThatTheirLineNames = classes()
            .that(DescribedPredicate.describe("are behind the front door", type -> !isTop(type) && !isFrontDoor(type)))
            .should(useOnlyRoomsOfTheirLine());

    @ArchTest
    static final ArchRule frontDoorsDoNotKnowTheTop = noClasses()
            .that(DescribedPredicate.describe("are front doors", ArchitectureTest::isFrontDoor))
            .should()
            .dependOnClassesThat(DescribedPredicate.describe("belong to the top", ArchitectureTest::isTop));

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
    static void thereAreAtMostTwentyTopLevelRooms(JavaClasses classes) {
        var top = classes.stream()
                .map(ArchitectureTest::roomOf)
                .filter(room -> !room.isEmpty())
                .map(room -> room.split("\\.", -1)[0])
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(top).hasSizeLessThanOrEqualTo(20);
        assertThat(top).as("twins, such as user and users").noneMatch(room -> top.contains(room + "s"));
    }

    private record Room(String name, Set<String> uses) {}

    private static Room room(String name, String... uses) {
        return new Room(name, Set.of(uses));
    }

    private static Map<String, Set<String>> rooms(Room... rooms) {
        var above = new LinkedHashMap<String, Set<String>>();
        for (var room : rooms) {
            if (!above.keySet().containsAll(room.uses())) {
                throw new IllegalStateException(room.name() + " uses a room that does not come before it: "
                        + room.uses().stream()
                                .filter(used -> !above.containsKey(used))
                                .toList());
            }
            above.put(room.name(), room.uses());
        }
        return above;
    }

    private static ArchCondition<JavaClass> useOnlyRoomsOfTheirLine() {
        return new ArchCondition<>("use only the rooms that their room's line names") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                var room = roomOf(type);
                var uses = ROOMS.get(room);
                if (uses == null) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " is in a room without a line"));
                    return;
                }
                for (var dependency : type.getDirectDependenciesFromSelf()) {
                    var target = dependency.getTargetClass();
                    if (!target.getPackageName().startsWith(BASE)) {
                        continue;
                    }
                    var used = roomOf(target);
                    var isAllowed =
                            used.equals(room) || uses.contains(used) || (FLOOR.contains(used) && !FLOOR.contains(room));
                    if (!isAllowed || isTop(target) || isFrontDoor(target)) {
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

    /** Front doors are built with the guard in {@code access} and the infrastructure in {@code http}. */
    private static boolean isFrontDoor(JavaClass type) {
        var name = outermost(type).getSimpleName();
        return type.getPackageName().startsWith(BASE)
                && (name.endsWith("Module")
                        || (name.endsWith("Handler")
                                && !Set.of("http", "access").contains(roomOf(type))));
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
