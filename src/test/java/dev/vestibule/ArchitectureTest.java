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

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
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

/** The rules of the house, whose map is the base package's {@code package-info.java}. */
@AnalyzeClasses(packages = "dev.vestibule", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String TOP = "dev.vestibule";
    private static final String[] FLOOR = {
        "dev.vestibule.error..",
        "dev.vestibule.json..",
        "dev.vestibule.config..",
        "dev.vestibule.crypto..",
        "dev.vestibule.database..",
        "dev.vestibule.http..",
        "dev.vestibule.limits..",
        "dev.vestibule.metrics..",
        "dev.vestibule.outbound.."
    };
    private static final String[] ABOVE_FLOOR = {
        TOP,
        "dev.vestibule.project",
        "dev.vestibule.user",
        "dev.vestibule.session",
        "dev.vestibule.token",
        "dev.vestibule.membership",
        "dev.vestibule.provider",
        "dev.vestibule.mail",
        "dev.vestibule.webhook",
        "dev.vestibule.identity",
        "dev.vestibule.authentication",
        "dev.vestibule.caller",
        "dev.vestibule.server",
        "dev.vestibule.password",
        "dev.vestibule.verification",
        "dev.vestibule.account",
        "dev.vestibule.branding",
        "dev.vestibule.oauth",
        "dev.vestibule.management",
        "dev.vestibule.users",
        "dev.vestibule.sessions",
        "dev.vestibule.webhooks"
    };
    private static final String[] NOUNS = {
        "dev.vestibule.project",
        "dev.vestibule.user",
        "dev.vestibule.session",
        "dev.vestibule.token",
        "dev.vestibule.membership",
        "dev.vestibule.provider"
    };
    private static final String[] ABOVE_NOUNS = {
        TOP,
        "dev.vestibule.mail",
        "dev.vestibule.webhook",
        "dev.vestibule.identity",
        "dev.vestibule.authentication",
        "dev.vestibule.caller",
        "dev.vestibule.server",
        "dev.vestibule.password",
        "dev.vestibule.verification",
        "dev.vestibule.account",
        "dev.vestibule.branding",
        "dev.vestibule.oauth",
        "dev.vestibule.management",
        "dev.vestibule.users",
        "dev.vestibule.sessions",
        "dev.vestibule.webhooks"
    };
    private static final String[] FEATURES = {
        "dev.vestibule.password",
        "dev.vestibule.verification",
        "dev.vestibule.account",
        "dev.vestibule.branding",
        "dev.vestibule.oauth",
        "dev.vestibule.management",
        "dev.vestibule.users",
        "dev.vestibule.sessions",
        "dev.vestibule.webhooks"
    };

    @ArchTest
    static final ArchRule featuresNeverUseFeatures = slices().matching(
                    "dev.vestibule.(password|verification|account|branding|oauth|management|users|sessions|webhooks)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule theFloorNeverLooksUp = noClasses()
            .that()
            .resideInAnyPackage(FLOOR)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ABOVE_FLOOR);

    @ArchTest
    static final ArchRule nounsNeverLookUp = noClasses()
            .that()
            .resideInAnyPackage(NOUNS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ABOVE_NOUNS);

    @ArchTest
    static final ArchRule whatFeaturesShareKnowsNoFeature = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.vestibule.mail",
                    "dev.vestibule.webhook",
                    "dev.vestibule.identity",
                    "dev.vestibule.authentication",
                    "dev.vestibule.caller")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(FEATURES)
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.vestibule.server", TOP);

    @ArchTest
    static final ArchRule featuresDoNotKnowWhoServesThem = noClasses()
            .that()
            .resideInAnyPackage(FEATURES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.vestibule.server", TOP);

    @ArchTest
    static final ArchRule everyPackageBelongsToTheMap = classes()
            .should()
            .resideInAnyPackage(FLOOR)
            .orShould()
            .resideInAnyPackage(ABOVE_FLOOR)
            .because("a new package needs its place in these rules and in the map");

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching("dev.vestibule.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule requestsAreHandledInHandlersAlone = noClasses()
            .that()
            .resideOutsideOfPackages("dev.vestibule.http", "dev.vestibule.server", "dev.vestibule.caller")
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
            .callMethodWhere(onAny(Query.class, nameMatching(".*")));

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
            .resideOutsideOfPackages("dev.vestibule.crypto", "dev.vestibule.database..", "dev.vestibule.outbound")
            .should()
            .callMethodWhere(onAny(System.class, name("nanoTime")));

    @ArchTest
    static final ArchRule blockingHasOneHome = noClasses()
            .that()
            .doNotBelongToAnyOf(ManagementVerticle.class)
            .should()
            .callMethodWhere(onAny(Vertx.class, name("executeBlocking")))
            .orShould()
            .callMethodWhere(onAny(Context.class, name("executeBlocking")))
            .orShould()
            .callMethodWhere(onAny(WorkerExecutor.class, name("executeBlocking")));

    @ArchTest
    static final ArchRule futuresAreAwaitedWhereTheServerStarts = noClasses()
            .that()
            .doNotBelongToAnyOf(Server.class)
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
