/** JSON can hold halves of characters. A form that was sent as JSON hands them to calls in this process: none throws anything but the library's errors. */
import { expect, it } from "vitest"
import { AuthError } from "../../src/errors.js"
import { makeWorld } from "../support/world.js"

const half = "\ud800"
const source = { url: "https://app.test/", headers: {} }

it.each([
  ["a provider", half, {}],
  ["a part of the return address", "op", { redirectTo: `/${half}` }],
  ["a parameter for the provider", "op", { params: { login_hint: half } }],
  ["a part of an e-mail address", "mail", { fields: { email: `ada${half}@op.test` } }],
  ["a field of a form", "mail", { fields: { email: "ada@op.test", csrfToken: half } }],
])("as %s", { tags: ["threat:A-154"] }, async (_, provider, call) => {
  const world = await makeWorld()
  const outcome = await world.auth.signIn(source, provider, call).catch((error: unknown) => error)
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AuthError)
  else expect(JSON.stringify(outcome)).not.toMatch(/\\ud800|%ED/i)
})
