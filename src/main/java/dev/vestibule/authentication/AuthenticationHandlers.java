package dev.vestibule.authentication;

import dev.vestibule.authentication.dashboard.AcceptInvitationHandler;
import dev.vestibule.authentication.dashboard.GetRegistrationHandler;
import dev.vestibule.authentication.dashboard.ImpersonateUserHandler;
import dev.vestibule.authentication.dashboard.KeepInCookieHandler;
import dev.vestibule.authentication.dashboard.SignOutOfDashboardHandler;
import dev.vestibule.authentication.email.EmailHandler;
import dev.vestibule.authentication.password.PasswordHandler;
import dev.vestibule.authentication.reauthentication.ReauthenticateHandler;

/** The operations of signing up and in, for one event loop. */
public record AuthenticationHandlers(
        SignUpHandler signUp,
        SignInHandler signIn,
        VerifyMfaHandler verifyMfa,
        TestingTokenHandler testingToken,
        SignOutHandler signOut,
        RefreshTokenHandler refreshToken,
        RefreshAccessTokenHandler refreshAccessToken,
        VerifyTokenHandler verifyToken,
        GetMeHandler getMe,
        UpdateMeHandler updateMe,
        DeleteMeHandler deleteMe,
        EmailHandler email,
        PasswordHandler password,
        ReauthenticateHandler reauthenticate,
        GetRegistrationHandler getRegistration,
        KeepInCookieHandler register,
        KeepInCookieHandler login,
        KeepInCookieHandler verifyDashboardMfa,
        KeepInCookieHandler verifyDashboardEmail,
        KeepInCookieHandler refreshDashboardToken,
        SignOutOfDashboardHandler signOutOfDashboard,
        AcceptInvitationHandler acceptInvitation,
        ImpersonateUserHandler impersonateUser) {}
