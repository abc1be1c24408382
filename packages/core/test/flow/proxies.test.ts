/** A proxy that the framework is not set to trust: a warning says what is wrong. */
import { expect, it } from "vitest"
import { makeWorld, type WorldOptions } from "../support/world.js"

const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example.com" }

async function visit(headers: Record<string, string>, options: WorldOptions = {}) {
  const lines: (readonly [string, string | undefined])[] = []
  const errors: Error[] = []
  const logger = {
    error: (error: Error) => void errors.push(error),
    warn: (code: string, detail?: string) => void lines.push([code, detail]),
  }
  const world = await makeWorld({ ...options, config: { logger, ...options.config } })
  const url = "http://10.0.0.1:3000/auth/signin"
  for (const _ of [1, 2]) await world.auth.handle(new Request(url, { headers }))
  return { errors, lines }
}

it.each([
  [forwarded, 'X-Forwarded-Proto "https" and X-Forwarded-Host "app.example.com" of the request were not read'],
  [{ "x-forwarded-proto": "https" }, 'X-Forwarded-Proto "https" of the request was not read'],
  [{ "x-forwarded-host": "a.test, b.test" }, 'X-Forwarded-Host "a.test, b.test" of the request was not read'],
  [
    { "x-forwarded-host": `${"x".repeat(500)}.test` },
    `X-Forwarded-Host "${"x".repeat(64)}…" of the request was not read`,
  ],
])("forwarded headers that are not trusted are logged as a warning, once: %j", async (headers, reported) => {
  const { lines } = await visit(headers)
  const detail = `${reported}; the address is taken to be "http://10.0.0.1:3000".`
  expect(lines).toEqual([["forwarded-header-ignored", detail]])
})

it.each([
  ["there are none", {}, {}],
  ["they say what is believed", { "x-forwarded-proto": "http, http", "x-forwarded-host": "10.0.0.1:3000" }, {}],
  ["AUTH_URL says the address", forwarded, { env: { AUTH_URL: "https://app.example.com/auth" } }],
])("nothing is logged where %s", async (_, headers, options) => {
  expect(await visit(headers, options)).toEqual({ errors: [], lines: [] })
})

it("a host that is not trusted is refused with the header that was not read", async () => {
  const { errors, lines } = await visit(forwarded, { config: { trustHost: false } })
  expect(errors[0]?.name).toBe("UntrustedHost")
  expect(errors[0]?.message).toContain('X-Forwarded-Host "app.example.com" of the request were not read')
  expect(lines).toEqual([])
})

it.each([
  ["AUTH_URL", { env: { AUTH_URL: "https://app.test/auth" } }, '(AUTH_URL is "https://app.test")'],
  ["useSecureCookies", { config: { useSecureCookies: true } }, "(`useSecureCookies` is true)"],
])("a cookie that a browser does not send over plain http names %s", async (_, options, reason) => {
  const world = await makeWorld(options)
  const at = (path: string, method: string) => world.auth.handle(new Request(`http://app.test/auth${path}`, { method }))
  await at("/signin/op", "POST")
  await at("/callback/op?code=x&state=y", "GET")
  const [form, check] = world.errors.map(({ message }) => message)
  expect(form).toContain(`is missing: browsers store and send it over https only ${reason}, so`)
  expect(check).toContain(`is missing: browsers store and send it over https only ${reason}, so`)
})

it("a missing check cookie is not explained by https when other cookies are there", async () => {
  const world = await makeWorld({ env: { AUTH_URL: "https://app.test/auth" } })
  const headers = { cookie: "theme=dark" }
  await world.auth.handle(new Request("https://app.test/auth/callback/op?code=x&state=y", { headers }))
  expect(world.errors[0]?.message).toMatch(/is missing\.$/)
})
