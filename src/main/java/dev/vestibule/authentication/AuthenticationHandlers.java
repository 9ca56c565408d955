package dev.vestibule.authentication;

import dev.vestibule.authentication.dashboard.AcceptInvitationHandler;
import dev.vestibule.authentication.dashboard.GetRegistrationHandler;
import dev.vestibule.authentication.dashboard.ImpersonateUserHandler;
import dev.vestibule.authentication.dashboard.KeepInCookieHandler;
import dev.vestibule.authentication.dashboard.SignOutOfDashboardHandler;
import dev.vestibule.authentication.email.RequestEmailChangeHandler;
import dev.vestibule.authentication.email.ResendCodeHandler;
import dev.vestibule.authentication.email.UndoEmailChangeHandler;
import dev.vestibule.authentication.email.VerifyEmailChangeHandler;
import dev.vestibule.authentication.email.VerifyEmailHandler;
import dev.vestibule.authentication.password.ChangePasswordHandler;
import dev.vestibule.authentication.password.ForgotPasswordHandler;
import dev.vestibule.authentication.password.ResetPasswordHandler;
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
        VerifyEmailHandler verifyEmail,
        RequestEmailChangeHandler requestEmailChange,
        VerifyEmailChangeHandler verifyEmailChange,
        UndoEmailChangeHandler undoEmailChange,
        ResendCodeHandler resendCode,
        ForgotPasswordHandler forgotPassword,
        ResetPasswordHandler resetPassword,
        ChangePasswordHandler changePassword,
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
