package dev.vestibule.access.captcha;

import dev.vestibule.access.Floor;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.project.ProjectModule;
import dev.vestibule.project.SealedSecrets;

/** Builds captchas. */
public final class CaptchaModule {
    /** For the routes and pages that ask for solutions. */
    public final Captcha captcha;

    private final SiteSecretStore secrets;
    public final CaptchaHandler operations;

    public CaptchaModule(Floor floor, ProjectModule projects) {
        var settings = floor.settings().captcha();
        var database = floor.database();
        this.secrets = new SiteSecretStore(sealer(floor.masterKeys()));
        this.captcha = new Captcha(
                new ProofOfWork(database, floor.workers(), floor.masterKeys(), settings, floor.clock()),
                new SiteVerification(floor.vertx(), database, secrets, settings, floor.clock()),
                new Pressure(settings, floor.settings().limits()),
                floor.meters().captcha);
        this.operations = new CaptchaHandler(database, projects.directory, captcha, secrets);
    }

    /** Opens the secret keys of providers. */
    public static Sealer sealer(MasterKeys masterKeys) {
        return new Sealer(masterKeys, "captcha secrets");
    }

    /** The secrets that must be sealed again after a change of the master secret. */
    public SealedSecrets sealedSecrets() {
        return secrets.sealedSecrets();
    }
}
