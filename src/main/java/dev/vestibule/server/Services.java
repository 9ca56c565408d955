package dev.vestibule.server;

import dev.vestibule.authentication.Passwords;
import dev.vestibule.branding.BrandingStore;
import dev.vestibule.branding.Brandings;
import dev.vestibule.caller.Callers;
import dev.vestibule.caller.Devices;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.database.Database;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.limits.RateLimits;
import dev.vestibule.management.RegistrationPolicy;
import dev.vestibule.management.SystemProject;
import dev.vestibule.membership.MembershipStore;
import dev.vestibule.project.NewProjects;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.session.RevocationStore;
import dev.vestibule.session.SessionListStore;
import dev.vestibule.token.KeySets;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.token.TokenRefresh;
import dev.vestibule.user.UserStore;
import dev.vestibule.users.UserListStore;
import dev.vestibule.users.UserTotals;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;

/** What the handlers of one event loop are made of. */
public record Services(
        Database database,
        HashingPool hashingPool,
        UserStore users,
        UserListStore userLists,
        UserTotals userTotals,
        SessionListStore sessionLists,
        RevocationStore revocations,
        SigningKeyStore signingKeys,
        MembershipStore memberships,
        ProjectStore projects,
        ProjectChanges projectChanges,
        BrandingStore brandingStore,
        Brandings brandings,
        KeySets keySets,
        PasswordHasher hasher,
        Passwords passwords,
        TokenRefresh refresh,
        SystemProject system,
        RegistrationPolicy registration,
        NewProjects newProjects,
        Callers callers,
        RateLimits limits,
        ClientAddresses addresses,
        Devices devices,
        Buffer description,
        Clock clock) {}
