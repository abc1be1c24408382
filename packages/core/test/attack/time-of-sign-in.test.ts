/** When a provider last asked the person: its id_token says so, and nothing else that it answers with. */
import { expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { makeWorld } from "../support/world.js"

const now = (): number => Math.floor(Date.now() / 1000)
const plain = {
  type: "oauth",
  issuer: undefined,
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
}

it.each<[string, Record<string, unknown>, { readonly idToken?: number; readonly profile?: number }, number]>([
  ["of an id_token", {}, { idToken: 0 }, 200],
  ["of an id_token, too long ago", {}, { idToken: -1000 }, 401],
  ["of an id_token, beside a profile that says nothing", { idToken: false }, { idToken: 0 }, 200],
  ["of an id_token, too long ago, beside a profile", { idToken: false }, { idToken: -1000, profile: 0 }, 401],
  ["of a profile beside an id_token", { idToken: false }, { profile: 0 }, 401],
  ["of a profile without an id_token that is verified", plain, { idToken: 0, profile: 0 }, 401],
  ["of the answer itself", { callbackProfile: () => ({ auth_time: now() }) }, {}, 401],
])("auth_time %s", { tags: ["threat:V7-16"] }, async (_, provider, said, status) => {
  const at = (seconds: number | undefined) => (seconds === undefined ? undefined : now() + seconds)
  const features = [managedSessions({ policy: { maxAge: 900 } })]
  const world = await makeWorld({ strategy: "jwt", provider, config: { features } })
  world.op.idToken = { auth_time: at(said.idToken) }
  if (said.profile !== undefined) world.op.person = { ...world.op.person, auth_time: at(said.profile) }
  const browser = world.browser()
  await world.signInAtOp(browser)
  expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  expect((await browser.post("/auth/sessions", { end: "others" })).status).toBe(status)
})
