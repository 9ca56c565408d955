package dev.vestibule.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Searches by coverage for inputs that break a parser's promise: {@code mvn -Pfuzz test -Dtest=ParserFuzz#svg}, ten
 * minutes for each parser. An input that breaks one is written to the corpus, from where the gate replays it.
 */
class ParserFuzz {
    private static final String DURATION = "10m";

    @FuzzTest(maxDuration = DURATION)
    void apiKey(byte[] input) {
        ParserTarget.API_KEY.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void auditCursor(byte[] input) {
        ParserTarget.AUDIT_CURSOR.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void clientData(byte[] input) {
        ParserTarget.CLIENT_DATA.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void dpopProof(byte[] input) {
        ParserTarget.DPOP_PROOF.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void foreignHash(byte[] input) {
        ParserTarget.FOREIGN_HASH.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void forwarded(byte[] input) {
        ParserTarget.FORWARDED.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void json(byte[] input) {
        ParserTarget.JSON.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void logo(byte[] input) {
        ParserTarget.LOGO.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void redirectUrl(byte[] input) {
        ParserTarget.REDIRECT_URL.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void refreshToken(byte[] input) {
        ParserTarget.REFRESH_TOKEN.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void resetCode(byte[] input) {
        ParserTarget.RESET_CODE.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void retryAfter(byte[] input) {
        ParserTarget.RETRY_AFTER.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void scimFilter(byte[] input) {
        ParserTarget.SCIM_FILTER.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void scimPath(byte[] input) {
        ParserTarget.SCIM_PATH.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void signedAssertion(byte[] input) {
        ParserTarget.SIGNED_ASSERTION.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void svg(byte[] input) {
        ParserTarget.SVG.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void targetUrl(byte[] input) {
        ParserTarget.TARGET_URL.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void timestamp(byte[] input) {
        ParserTarget.TIMESTAMP.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void traceParent(byte[] input) {
        ParserTarget.TRACE_PARENT.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void userCursor(byte[] input) {
        ParserTarget.USER_CURSOR.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void verificationCode(byte[] input) {
        ParserTarget.VERIFICATION_CODE.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void walletAddress(byte[] input) {
        ParserTarget.WALLET_ADDRESS.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void walletSignature(byte[] input) {
        ParserTarget.WALLET_SIGNATURE.check(input);
    }

    @FuzzTest(maxDuration = DURATION)
    void webUrl(byte[] input) {
        ParserTarget.WEB_URL.check(input);
    }
}
