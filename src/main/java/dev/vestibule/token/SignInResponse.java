package dev.vestibule.token;

import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.token.SignInResult.VerificationRequired;

/** The body of a response to a sign in or sign up. */
public sealed interface SignInResponse permits TokenResponse, VerificationRequired, FactorRequired {}
