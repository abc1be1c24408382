/** Scenarios of the ways in: what comes back from a provider, a link, a form of credentials and a passkey. */
import type { Visit } from "../support/browser.js"
import { rightCredentials } from "../support/credentials.js"
import { passkeyCeremony, withFirst } from "../support/passkeys.js"
import { all, atOAuth2, atOp, byMail, elsewhere, get, post, type Scenario, stored } from "./scenario.js"
import { address, type Stage } from "./stage.js"

async function mailedPath({ world, browser }: Stage): Promise<string> {
  await browser.post("/auth/signin/mail", { email: address })
  const { pathname, search } = new URL(world.mails.at(-1)?.url ?? "")
  return pathname + search
}

const ceremony = ({ browser, authenticator }: Stage, query: Record<string, string>): Promise<Visit> =>
  passkeyCeremony(browser, withFirst(authenticator), query)

const register = (stage: Stage): Promise<Visit> => ceremony(stage, { action: "register", email: address })
const authenticate = (stage: Stage): Promise<Visit> => ceremony(stage, { action: "authenticate" })

/** Another answer of the provider than the one the flow waits for. */
const forged = (provider: string) => async (stage: Stage) => {
  await stage.browser.post(`/auth/signin/${provider}`)
  return stage.browser.get(`/auth/callback/${provider}?code=code&state=forged`)
}

/** Somebody else signed in there before: what is fetched once is here. */
const warm = (go: (stage: Stage) => Promise<unknown>) => async (stage: Stage) => {
  const { op } = stage.world
  const { person } = op
  op.person = { ...person, sub: "person-2", email: "eve@op.test" }
  await go(stage.someoneElse())
  op.person = person
}

const oauth: readonly Scenario[] = (["op", "oauth2"] as const).flatMap((provider) => {
  const go = provider === "op" ? atOp : atOAuth2
  const row = { method: "GET", action: "callback", provider, status: 302, stores: all } as const
  const linked = async (stage: Stage): Promise<void> => {
    await warm(go)(stage)
    await byMail(stage)
  }
  return [
    { ...row, situation: "the first of the process", go },
    { ...row, situation: "a new person", prepare: warm(go), go },
    { ...row, situation: "a known person", prepare: elsewhere(go), go },
    { ...row, situation: "a known person over a session", prepare: go, go },
    { ...row, situation: "linked to who is signed in", stores: stored, prepare: linked, go },
    { ...row, situation: "an answer nobody waits for", isRefused: true, go: forged(provider) },
  ] satisfies Scenario[]
})

const forms: readonly Scenario[] = (["op-form", "oauth2-form"] as const).map((provider) => ({
  method: "POST",
  action: "callback",
  provider,
  situation: "an answer in a form",
  stores: all,
  status: 302,
  go: async ({ world, browser }) => {
    const begun = await browser.post(`/auth/signin/${provider}`)
    const { pathname, searchParams } = world.op.authorize(begun.location ?? "")
    return browser.post(pathname, Object.fromEntries(searchParams), { csrf: false })
  },
}))

const mail: readonly Scenario[] = [
  { method: "GET" as const, situation: "a new person", go: byMail },
  { method: "GET" as const, situation: "a known person", prepare: elsewhere(byMail), go: byMail },
  {
    method: "GET" as const,
    situation: "a link that was used",
    isRefused: true,
    go: async (stage: Stage) => {
      const path = await mailedPath(stage)
      await stage.browser.get(path)
      return stage.browser.get(path)
    },
  },
  {
    method: "POST" as const,
    situation: "confirmed by a button",
    go: async (stage: Stage) => stage.browser.post(await mailedPath(stage)),
  },
].map((one) => ({ action: "callback", provider: "mail", stores: stored, status: 302, ...one }))

const credentials: readonly Scenario[] = [
  {
    situation: "right",
    stores: all,
    status: 302,
    prepare: elsewhere(atOp),
    go: post("/auth/callback/credentials", rightCredentials),
  },
  {
    situation: "wrong",
    stores: all,
    status: 302,
    isRefused: true,
    go: post("/auth/callback/credentials", { name: "ada", password: "wrong" }),
  },
  {
    situation: "without the CSRF token",
    stores: all,
    status: 302,
    isRefused: true,
    go: post("/auth/callback/credentials", rightCredentials, { csrf: false }),
  },
].map((one) => ({ method: "POST", action: "callback", provider: "credentials", ...one }))

const passkeys: readonly Scenario[] = [
  { situation: "a new person registers", go: register },
  {
    situation: "who is signed in registers",
    prepare: byMail,
    go: (stage: Stage) => ceremony(stage, { action: "register" }),
  },
  {
    situation: "signs in",
    prepare: (stage: Stage) => register({ ...stage, browser: stage.someoneElse().browser }),
    go: authenticate,
  },
].map((one) => ({ method: "POST", action: "callback", provider: "passkey", stores: stored, status: 302, ...one }))

const options: readonly Scenario[] = [
  { situation: "to sign in", query: "?action=authenticate" },
  { situation: "to register a new person", query: `?action=register&email=${address}` },
  { situation: "to register, signed in", query: "?action=register", prepare: byMail },
].map(({ query, ...one }) => ({
  method: "GET",
  action: "webauthn-options",
  provider: "passkey",
  stores: stored,
  status: 200,
  go: get(`/auth/webauthn-options/passkey${query}`),
  ...one,
}))

/** All of them. */
export const callbacks: readonly Scenario[] = [...oauth, ...forms, ...mail, ...credentials, ...passkeys, ...options]
