/** A visitor asks for fewer scopes, so that the service cannot say that an address is unverified. */
import { expect, it } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import { GitHub } from "../../src/providers/github.js"
import type { FetchFunction } from "../../src/types/provider.js"
import { makeWorld } from "../support/world.js"
import { client } from "./support/services.js"

const ada = "ada@op.test"

/** An Enterprise Server that sends no mails, so that nobody's address is verified. */
function enterpriseServer(): { provider: ReturnType<typeof GitHub>; grant: (scope: string) => void } {
  let granted = ""
  const fetch: FetchFunction = async (input) => {
    const url = String(input)
    if (url.endsWith("/access_token")) return Response.json({ access_token: "gho_at", token_type: "bearer" })
    if (!url.endsWith("/user/emails")) return Response.json({ id: 77, login: "eve", email: ada })
    if (!granted.includes("user:email")) return Response.json({ message: "Not Found" }, { status: 404 })
    return Response.json([{ email: ada, primary: true, verified: false }])
  }
  const options = { ...client, enterprise: { baseUrl: "https://git.corp.test" }, [customFetch]: fetch }
  return {
    provider: GitHub({ ...options, allowDangerousEmailAccountLinking: true }),
    grant: (scope) => (granted = scope),
  }
}

it.each(["", "?scope=read:user"])(
  "signs nobody in as the owner of the address with %j",
  { tags: ["threat:A-022"] },
  async (query) => {
    const { provider, grant } = enterpriseServer()
    const world = await makeWorld({
      more: [provider],
      provider: { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified },
    })
    await world.signInByMail(world.browser(), ada)
    const thief = world.browser()
    const { location } = await thief.post(`/auth/signin/github${query}`, {})
    const asked = new URL(location ?? "").searchParams
    grant(asked.get("scope") ?? "")
    await thief.get(`/auth/callback/github?code=x&state=${asked.get("state")}`)
    expect(await thief.session()).toBeNull()
  },
)

it("asks for no other claims than the application does", { tags: ["threat:A-022"] }, async () => {
  const world = await makeWorld({})
  const claims = encodeURIComponent('{"id_token":{"email":null}}')
  const { location } = await world.browser().post(`/auth/signin/op?claims=${claims}`, {})
  expect(new URL(location ?? "").searchParams.has("claims")).toBe(false)
})
