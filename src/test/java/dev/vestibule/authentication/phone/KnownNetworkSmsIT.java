package dev.vestibule.authentication.phone;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.fixture.WithSms;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Strangers use up the wrong codes that a number has in a day, while its owner enters codes at home. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KnownNetworkSmsIT {
    private static final String HOME = "203.0.113.1";
    private static final String STRANGER = "198.51.100.2";
    private static final String CAFE = "192.0.2.3";

    private final WithSms sms;
    private TestProject project;
    private String phone = "";

    KnownNetworkSmsIT(TestDatabase database) {
        sms = WithSms.start(
                database,
                Map.of("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1", "VESTIBULE_SMS_PER_NUMBER_PER_DAY", "100"));
        project = sms.newProject();
    }

    @AfterAll
    void stop() {
        sms.close();
    }

    @BeforeEach
    void fresh() {
        project = sms.newProject();
        phone = WithSms.newNumber();
    }

    private Call verify(String code, String network) {
        return WithSms.verify(project, phone, code).header("X-Forwarded-For", network);
    }

    private String newCode() {
        sms.passAMinute();
        return sms.code(project, phone);
    }

    private void useUpTheDay() {
        for (int codes = 0; codes < 4; codes++) {
            var wrong = WithMail.anotherThan(newCode());
            for (int i = 0; i < 5; i++) {
                verify(wrong, STRANGER).expect(401);
            }
        }
    }

    @Test
    void strangersWhoUseUpTheTriesOfANumberCannotLockItsOwnerOutOfAKnownNetwork() {
        verify(newCode(), HOME).expect(200);
        useUpTheDay();
        var right = newCode();
        verify(right, CAFE).expect(429);
        verify(right, HOME).expect(200);
    }

    @Test
    void aKnownNetworkHasTwentyWrongCodesADayOfItsOwnAndIsToldNoMoreThanAnyone() {
        verify(newCode(), HOME).expect(200);
        useUpTheDay();
        for (int codes = 0; codes < 4; codes++) {
            var wrong = WithMail.anotherThan(newCode());
            for (int i = 0; i < 5; i++) {
                verify(wrong, HOME).expect(429);
            }
        }
        verify(newCode(), HOME).expect(429);
    }

    @Test
    void whoSignsInByANumberStillProvesItAsTheirOwn() {
        useUpTheDay();
        var user = project.signUp();
        var code = sms.ownCode(project, user.accessToken(), phone);
        WithSms.verifyOwn(project, user.accessToken(), phone, code).expect(200);
    }

    private void useUpTheDayOf(Response stranger) {
        for (int codes = 0; codes < 4; codes++) {
            sms.passAMinute();
            var wrong = WithMail.anotherThan(sms.ownCode(project, stranger.accessToken(), phone));
            for (int i = 0; i < 5; i++) {
                WithSms.verifyOwn(project, stranger.accessToken(), phone, wrong).expect(401);
            }
        }
    }

    /** Whoever has an account could keep a number from its owner for a day; each account has one guess more. */
    @Test
    void strangersWhoUseUpTheTriesOfANumberKeepNoOwnerFromProvingIt() {
        useUpTheDayOf(project.signUp());
        var owner = project.signUp().accessToken();
        var careless = project.signUp().accessToken();
        var code = sms.ownCode(project, careless, phone);
        WithSms.verifyOwn(project, careless, phone, WithMail.anotherThan(code)).expect(401);
        WithSms.verifyOwn(project, careless, phone, code).expect(429);
        sms.own(project, owner, phone);
    }

    @Test
    void wrongCodesOfWhoProvesANumberCountForThemAndNotForSignInsByIt() {
        var stranger = project.signUp();
        useUpTheDayOf(stranger);
        phone = WithSms.newNumber();
        var ofAnother = sms.ownCode(project, stranger.accessToken(), phone);
        WithSms.verifyOwn(project, stranger.accessToken(), phone, ofAnother).expect(429);
        verify(newCode(), CAFE).expect(200);
    }
}
