// Signs in, refreshes, asks and revokes with go-oidc and the oauth2 of the Go project, as they come from the module proxy.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	check(err)
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Scopes:       []string{oidc.ScopeOpenID, "email", oidc.ScopeOfflineAccess},
	}
	verifier := oauth2.GenerateVerifier()
	state, nonce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	fmt.Println(config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)))

	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	check(err)
	answer, err := url.Parse(strings.TrimSpace(line))
	check(err)
	if answer.Query().Get("state") != state {
		log.Fatal("another state")
	}
	tokens, err := config.Exchange(ctx, answer.Query().Get("code"), oauth2.VerifierOption(verifier))
	check(err)
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
	check(err)
	check(idToken.VerifyAccessToken(tokens.AccessToken))
	if idToken.Nonce != nonce {
		log.Fatal("another nonce")
	}
	user, err := provider.UserInfo(ctx, config.TokenSource(ctx, tokens))
	check(err)
	refreshed, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: tokens.RefreshToken}).Token()
	check(err)
	api := provider.Verifier(&oidc.Config{SkipClientIDCheck: true})
	accessToken, err := api.Verify(ctx, refreshed.AccessToken)
	check(err)
	var claims struct {
		ClientID string `json:"client_id"`
	}
	check(accessToken.Claims(&claims))

	var server struct {
		Revocation string `json:"revocation_endpoint"`
		Userinfo   string `json:"userinfo_endpoint"`
	}
	check(provider.Claims(&server))
	form := url.Values{"token": {refreshed.RefreshToken}, "client_id": {config.ClientID}}
	if config.ClientSecret != "" {
		form.Set("client_secret", config.ClientSecret)
	}
	_, err = http.PostForm(server.Revocation, form)
	check(err)
	refusal, err := oauth2.NewClient(ctx, oauth2.StaticTokenSource(refreshed)).Get(server.Userinfo)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"email": user.Email, "clientId": claims.ClientID, "refused": refusal.StatusCode,
	}))
}
