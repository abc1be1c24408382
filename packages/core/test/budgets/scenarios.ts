/** What is asked of each row of the route table, and by whom. The last request of each is the one that has the budget. */
import { callbacks } from "./callbacks.js"
import { all, atOp, byMail, day, elsewhere, get, post, type Scenario, stored, withCsrf } from "./scenario.js"
import { address, pass, type Stage } from "./stage.js"

const session: readonly Scenario[] = [
  { situation: "nobody is signed in", status: 200, go: get("/auth/session") },
  { situation: "signed in", status: 200, prepare: atOp, go: get("/auth/session") },
  {
    situation: "signed in, and the session is due to be extended",
    status: 200,
    prepare: async (stage: Stage) => {
      await atOp(stage)
      pass(2 * day)
    },
    go: get("/auth/session"),
  },
  {
    situation: "the cookie was tampered with",
    status: 200,
    prepare: async ({ browser }: Stage) => browser.setCookie("__Secure-authjs.session-token", "forged"),
    go: get("/auth/session"),
  },
].map((one) => ({ method: "GET", action: "session", stores: all, ...one }))

const update: readonly Scenario[] = [
  { situation: "nobody is signed in", status: 200, go: post("/auth/session", { data: "{}" }) },
  { situation: "signed in", status: 200, prepare: atOp, go: post("/auth/session", { data: "{}" }) },
  {
    situation: "without the CSRF token",
    status: 403,
    prepare: atOp,
    go: post("/auth/session", { data: "{}" }, { csrf: false }),
  },
].map((one) => ({ method: "POST", action: "session", stores: all, ...one }))

const pages: readonly Scenario[] = [
  { action: "csrf" as const, situation: "first visit", status: 200, go: get("/auth/csrf") },
  { action: "csrf" as const, situation: "again", status: 200, prepare: withCsrf, go: get("/auth/csrf") },
  { action: "providers" as const, situation: "anybody", status: 200, go: get("/auth/providers") },
  { action: "signin" as const, situation: "first visit", status: 200, go: get("/auth/signin") },
  { action: "signin" as const, situation: "again", status: 200, prepare: get("/auth/signin"), go: get("/auth/signin") },
  { action: "signin" as const, situation: "signed in", status: 200, prepare: atOp, go: get("/auth/signin") },
  { action: "signout" as const, situation: "first visit", status: 200, go: get("/auth/signout") },
  { action: "signout" as const, situation: "signed in", status: 200, prepare: atOp, go: get("/auth/signout") },
  { action: "error" as const, situation: "anybody", status: 403, go: get("/auth/error?error=AccessDenied") },
  { action: "verify-request" as const, situation: "anybody", status: 200, go: get("/auth/verify-request") },
].map((one) => ({ method: "GET", stores: all, ...one }))

const beginnings: readonly Scenario[] = [
  { situation: "names no provider", stores: all, status: 302, go: post("/auth/signin") },
  {
    situation: "without the CSRF token",
    stores: all,
    status: 302,
    isRefused: true,
    provider: "op" as const,
    go: post("/auth/signin/op", {}, { csrf: false }),
  },
  ...(["op", "oauth2"] as const).map((provider) => ({
    provider,
    situation: "anybody",
    stores: all,
    status: 302,
    prepare: elsewhere(post(`/auth/signin/${provider}`)),
    go: post(`/auth/signin/${provider}`),
  })),
  {
    provider: "mail" as const,
    situation: "an unknown address",
    stores: stored,
    status: 302,
    go: post("/auth/signin/mail", { email: address }),
  },
  {
    provider: "mail" as const,
    situation: "a known address",
    stores: stored,
    status: 302,
    prepare: elsewhere(byMail),
    go: post("/auth/signin/mail", { email: address }),
  },
  {
    provider: "credentials" as const,
    situation: "anybody",
    stores: all,
    status: 302,
    go: post("/auth/signin/credentials"),
  },
  { provider: "passkey" as const, situation: "anybody", stores: stored, status: 302, go: post("/auth/signin/passkey") },
].map((one) => ({ method: "POST", action: "signin", ...one }))

const leaving: readonly Scenario[] = [
  { situation: "nobody is signed in", status: 302, go: post("/auth/signout") },
  { situation: "signed in", status: 302, prepare: atOp, go: post("/auth/signout") },
].map((one) => ({ method: "POST", action: "signout", stores: all, ...one }))

/** Every situation that has a budget. */
export const scenarios: readonly Scenario[] = [...session, ...update, ...pages, ...beginnings, ...leaving, ...callbacks]
