/** Every mail service of the catalogue sends a link that signs its reader in, in the request its fixture describes. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeWorld } from "../support/world.js"
import { fixtures, load } from "./entries.js"

interface MailFixture {
  readonly id: string
  readonly request: { url: string; headers: Record<string, string>; body: unknown }
}
const services = fixtures.filter(({ type }) => (type as string) === "email") as unknown as MailFixture[]

describe("a link mailed by", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it.each(services)("$id signs the person in", async ({ id, request }) => {
    const sent: { url: string; init: RequestInit }[] = []
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      sent.push({ url, init })
      return new Response(null, { status: 202 })
    })
    const given = { apiKey: "the-key", from: "demo@mail.test", transactionalId: "template-1" }
    const world = await makeWorld({ config: { providers: [(await load(id))(given)] } })
    const browser = world.browser()
    await browser.post(`/auth/signin/${id}`, { email: "Ada.Byron@Example.com" })
    const [{ url, init } = { url: "", init: {} }] = sent
    expect(world.errors).toEqual([])
    expect(url).toBe(request.url.replace("{apiHost}", "api.mailgun.net").replace("{domain}", "mail.test"))
    const body = bodyOf(init.body)
    const text = JSON.stringify(body)
    const link = /https:\/\/app\.test\/auth\/callback\/[^"\\\s<]+/.exec(text)?.[0].replaceAll("&amp;", "&") ?? ""
    expect(body).toMatchObject(wantedBody(request.body))
    for (const [name, value] of Object.entries(request.headers)) {
      if (name.toLowerCase() !== "content-type") expect(new Headers(init.headers).get(name)).toBe(credential(value))
    }
    const { pathname, search } = new URL(link)
    expect((await browser.get(pathname + search)).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { email: "ada.byron@example.com" } })
  })
})

function bodyOf(body: unknown): unknown {
  const text = String(body)
  return text.startsWith("{") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
}

/** The credential of a template such as `Basic base64({apiKey} + ":")`. */
function credential(template: string): string {
  const secret = template.includes('"api:"') ? "api:the-key" : "the-key:"
  if (template.startsWith("Basic")) return `Basic ${Buffer.from(secret).toString("base64")}`
  return template.replace("{apiKey}", "the-key")
}

/** The body of the fixture with what is known of this sign-in; the texts themselves are tested where they are made. */
function wantedBody(template: unknown): object {
  if (typeof template === "string") return { from: "Mailgun <demo@mail.test>", to: "ada.byron@example.com" }
  const known: Record<string, unknown> = {
    "{identifier}": "ada.byron@example.com",
    "{from}": "demo@mail.test",
    "{transactionalId}": "template-1",
    "Sign in to {host}": "Sign in to app.test",
  }
  const fill = (value: unknown): unknown => {
    if (typeof value === "string")
      return known[value] ?? (value.includes("{") ? expect.stringContaining("http") : value)
    if (Array.isArray(value)) return value.map(fill)
    return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, fill(inner)]))
  }
  return fill(template) as object
}
