package dev.vestibule.server;

import dev.vestibule.access.AccessModule;
import dev.vestibule.access.captcha.CaptchaModule;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.page.PageModule;
import dev.vestibule.project.ProjectModule;
import dev.vestibule.project.administration.AdministrationModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.UserModule;
import dev.vestibule.user.key.UserKeyModule;
import dev.vestibule.user.organization.OrganizationModule;
import dev.vestibule.user.organization.scim.ScimModule;
import dev.vestibule.webhook.WebhookModule;

/**
 * The modules whose handlers serve the API. An interface, since only the object graph has all of them, and this room
 * must not know it; a record would need one list of as many parts as there are.
 */
public interface FrontDoors {
    AccessModule access();

    CaptchaModule captchas();

    AuthenticationModule authentication();

    OauthModule oauth();

    OauthServerModule authorizationServer();

    PageModule pages();

    ProjectModule projects();

    AdministrationModule administration();

    UserModule users();

    UserKeyModule userKeys();

    OrganizationModule organizations();

    ScimModule provisioning();

    SessionModule sessions();

    TokenModule tokens();

    WebhookModule webhooks();

    JournalModule journal();
}
