package dev.vestibule.access.captcha;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Json;
import dev.vestibule.outbound.OutboundException;
import dev.vestibule.project.BotSettings.CaptchaDemand;
import dev.vestibule.project.CaptchaProvider;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.CaptchaMeters;
import dev.vestibule.telemetry.metrics.CaptchaMeters.Outcome;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides which requests need a captcha's solution, and has it verified. */
public final class Captcha {
    /**
     * What a page shows so that a person, or their browser, solves a captcha.
     *
     * @param siteKey of the project's account with the provider; empty for a proof of work
     * @param challenge of a proof of work, in JSON; empty for providers
     */
    public record Widget(CaptchaProvider provider, CaptchaPurpose purpose, String siteKey, String challenge) {}

    private final ProofOfWork proofs;
    private final SiteVerification sites;
    private final Pressure pressure;
    private final CaptchaMeters meters;

    Captcha(ProofOfWork proofs, SiteVerification sites, Pressure pressure, CaptchaMeters meters) {
        this.proofs = proofs;
        this.sites = sites;
        this.pressure = pressure;
        this.meters = meters;
    }

    /**
     * Counts a request, and fails with a 403 if it needs a solution and has none that is right; with a 502 if the
     * provider does not say whether it is. A solution that was not needed is not used up.
     */
    public Future<Void> require(
            Project project, CaptchaPurpose purpose, @Nullable InetAddress address, Optional<String> solution) {
        if (!isNeeded(project, purpose, address)) {
            return Future.succeededFuture();
        }
        if (solution.isEmpty()) {
            meters.needed(Outcome.MISSING);
            return Future.failedFuture(refusal(
                    project,
                    purpose,
                    ErrorCode.CAPTCHA_REQUIRED,
                    "Too many requests come at the moment: this one needs the solution of a captcha."));
        }
        return accept(project, purpose, solution.get())
                .recover(failure -> {
                    if (failure instanceof OutboundException
                            || failure instanceof SiteVerification.UnverifiedException) {
                        meters.needed(Outcome.UNVERIFIED);
                        return Future.failedFuture(ApiException.of(
                                ErrorCode.PROVIDER_FAILED,
                                "The captcha's provider did not verify the solution. Try again in a moment."));
                    }
                    return Future.failedFuture(failure);
                })
                .map(isAccepted -> {
                    meters.needed(isAccepted ? Outcome.SOLVED : Outcome.REFUSED);
                    if (!isAccepted) {
                        throw refusal(
                                project,
                                purpose,
                                ErrorCode.CAPTCHA_FAILED,
                                "The captcha's solution is wrong, was used, or has expired. Solve a new one.");
                    }
                    return null;
                });
    }

    private boolean isNeeded(Project project, CaptchaPurpose purpose, @Nullable InetAddress address) {
        return demand(project) == CaptchaDemand.ALWAYS
                || (demand(project) == CaptchaDemand.PRESSURE
                        && pressure.exceededBy(project.id(), purpose.quota(), address));
    }

    /** Never for dashboard users: their pages cannot solve a captcha. */
    private static CaptchaDemand demand(Project project) {
        return project.id().equals(ProjectId.SYSTEM)
                ? CaptchaDemand.NEVER
                : project.bots().when();
    }

    private Future<Boolean> accept(Project project, CaptchaPurpose purpose, String solution) {
        return project.bots().provider() == CaptchaProvider.PROOF_OF_WORK
                ? proofs.accept(project.id(), purpose, solution)
                : sites.accept(project, solution);
    }

    /** Says what to solve. */
    private static ApiException refusal(Project project, CaptchaPurpose purpose, ErrorCode code, String message) {
        var bots = project.bots();
        var captcha = new LinkedHashMap<String, String>();
        captcha.put("provider", bots.provider().text());
        captcha.put("purpose", purpose.text());
        if (bots.siteKey() != null) {
            captcha.put("siteKey", bots.siteKey());
        }
        return ApiException.of(code, message, Map.of("captcha", captcha));
    }

    /** Empty if the page needs none; under pressure, it gets one before the request needs it. */
    public Optional<Widget> widget(Project project, CaptchaPurpose purpose, @Nullable InetAddress address) {
        var isAsked = demand(project) == CaptchaDemand.ALWAYS
                || (demand(project) == CaptchaDemand.PRESSURE
                        && pressure.isNear(project.id(), purpose.quota(), address));
        if (!isAsked) {
            return Optional.empty();
        }
        var bots = project.bots();
        return Optional.of(
                bots.provider() == CaptchaProvider.PROOF_OF_WORK
                        ? new Widget(
                                bots.provider(),
                                purpose,
                                "",
                                Json.encode(challenge(project, purpose)).toString())
                        : new Widget(bots.provider(), purpose, String.valueOf(bots.siteKey()), ""));
    }

    /** A proof of work, as clients of ALTCHA's protocol read it; a 404 if the project asks for none. */
    Object challenge(Project project, CaptchaPurpose purpose) {
        if (demand(project) == CaptchaDemand.NEVER || project.bots().provider() != CaptchaProvider.PROOF_OF_WORK) {
            throw ApiException.of(ErrorCode.FEATURE_DISABLED, "This project asks for no proof of work.");
        }
        meters.issued();
        return proofs.challenge(project.id(), purpose);
    }
}
