package dev.vestibule.authentication;

import dev.vestibule.authentication.dashboard.DashboardAccountHandler;
import dev.vestibule.authentication.dashboard.DashboardSessionHandler;
import dev.vestibule.authentication.dashboard.ImpersonationHandler;
import dev.vestibule.authentication.email.EmailHandler;
import dev.vestibule.authentication.password.PasswordHandler;
import dev.vestibule.authentication.reauthentication.ReauthenticationHandler;

/** The operations for sign up and sign in, which share their flows, for one event loop. */
public record AuthenticationHandlers(
        SignUpHandler signUp,
        SignInHandler signIn,
        TokenHandler tokens,
        MeHandler me,
        EmailHandler email,
        PasswordHandler password,
        ReauthenticationHandler reauthentication,
        DashboardAccountHandler dashboardAccounts,
        DashboardSessionHandler dashboardSessions,
        ImpersonationHandler impersonations) {}
