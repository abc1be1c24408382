import { memoryAdapter } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import { managedSessions } from "@latchkey/core/sessions"
import { describe, expect, it } from "vitest"
import { adaOf, arrive, config, sent } from "../test/support/application.js"
import { Redirected } from "../test/support/next/request.js"
import { CredentialsSignin, NextAuth } from "./index.js"

/** Where an action has left for. */
async function leftFor(action: Promise<unknown>): Promise<string> {
  const thrown = await action.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(Redirected)
  return (thrown as Redirected).to
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

describe("signIn in a server action", () => {
  it("completes a sign-in with a form, sets the cookies and redirects", async () => {
    const { cookies } = arrive()
    const form = formOf({ $ACTION_ID_1: "", name: "Ada", password: "right", redirectTo: "/inside" })
    expect(await leftFor(NextAuth(config()).signIn("credentials", form))).toBe("https://app.test/inside")
    expect(cookies.map(({ name }) => name)).toContain("__Secure-authjs.session-token")
    expect(cookies[0]?.options).toMatchObject({ httpOnly: true, secure: true, path: "/", sameSite: "lax" })
  })

  it("sets the cookie of a domain after the one of the host is cleared: Next keeps the last of a name", {
    tags: ["threat:CK-31"],
  }, async () => {
    const given = config()
    const { cookie } = await adaOf(given)
    const { cookies } = arrive(sent({ cookie }))
    const { signIn } = NextAuth({ ...given, cookies: { sessionToken: { options: { domain: ".app.test" } } } })
    await signIn("credentials", { name: "Bob", password: "right", redirect: false })
    const kept = new Map(cookies.map((one) => [one.name, one]))
    const session = kept.get("__Secure-authjs.session-token")
    expect([session?.value, session?.options?.domain]).toEqual([expect.stringMatching(/./), ".app.test"])
  })

  it("passes on the fields of the form, without those that Next adds and without files", async () => {
    const seen: unknown[] = []
    const password = Credentials({
      credentials: {},
      authorize: (fields) => {
        seen.push(fields)
        return null
      },
    })
    const form = formOf({ $ACTION_ID_1: "", name: "Ada" })
    form.append("picture", new Blob(["x"]), "picture.png")
    arrive()
    const { signIn } = NextAuth(config({ providers: [password] }))
    await expect(signIn("credentials", form)).rejects.toThrow(CredentialsSignin)
    expect(seen).toEqual([{ name: "Ada" }])
  })

  it("throws CredentialsSignin for a wrong password, and sets nothing", async () => {
    const { cookies } = arrive()
    const wrong = NextAuth(config()).signIn("credentials", { name: "Ada", password: "wrong" })
    await expect(wrong).rejects.toThrow(CredentialsSignin)
    expect(cookies).toEqual([])
  })

  it("leaves for the provider with the parameters given, or returns the address", async () => {
    const { signIn } = NextAuth(config())
    arrive()
    const address = new URL(await leftFor(signIn("github", { redirectTo: "/" }, { prompt: "login" })))
    expect([address.host, address.searchParams.get("prompt")]).toEqual(["github.com", "login"])
    const { cookies } = arrive()
    expect(await signIn("github", { redirect: false })).toContain("https://github.com/login/oauth/authorize?")
    expect(cookies.length).toBeGreaterThan(0)
  })

  it.each([
    ["https://app.test/inside?tab=2", "https://app.test/inside?tab=2"],
    ["https://evil.test/", "https://app.test"],
    ["", "https://app.test"],
  ])(
    "without redirectTo leads back to the page of this application that it was called from: %s",
    async (referer, to) => {
      arrive(sent({ referer }))
      expect(await leftFor(NextAuth(config()).signIn("credentials", { name: "Ada", password: "right" }))).toBe(to)
    },
  )

  it.each([undefined, "", "nobody"])("goes to the sign-in page for the provider %j", async (provider) => {
    const { signIn } = NextAuth(config())
    const page = "https://app.test/api/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Finside"
    arrive()
    expect(await leftFor(signIn(provider, { redirectTo: "/inside" }))).toBe(page)
    arrive()
    expect(await signIn(provider, { redirectTo: "/inside", redirect: false })).toBe(page)
  })

  it.each([
    ["a string", "prompt=login"],
    ["pairs", [["prompt", "login"]]],
    ["URLSearchParams", new URLSearchParams("prompt=login")],
  ])("takes authorization parameters as %s", async (_, params) => {
    arrive()
    const address = new URL(await leftFor(NextAuth(config()).signIn("github", {}, params)))
    expect(address.searchParams.get("prompt")).toBe("login")
  })
})

describe("signOut in a server action", () => {
  it("clears the cookie and redirects, or returns the address", async () => {
    const given = config()
    const { signOut } = NextAuth(given)
    const { cookies } = arrive(sent(await adaOf(given)))
    expect(await leftFor(signOut({ redirectTo: "/bye" }))).toBe("https://app.test/bye")
    expect(cookies).toMatchObject([{ name: "__Secure-authjs.session-token", value: "", options: { maxAge: 0 } }])
    arrive(sent(await adaOf(given)))
    expect(await signOut({ redirectTo: "/bye", redirect: false })).toBe("https://app.test/bye")
  })

  it.each([true, false])(
    "throws where the session could not be removed, and clears the cookie: redirect %s",
    {
      tags: ["threat:SF-07"],
    },
    async (redirect) => {
      const takeRecord = () => Promise.reject(new Error("away"))
      const adapter = { ...memoryAdapter(), takeRecord }
      const given = config({ adapter, session: { strategy: "jwt" }, features: [managedSessions()] })
      const { auth, signOut } = NextAuth(given)
      const { cookies } = arrive(sent(await adaOf(given)))
      await expect(signOut({ redirect })).rejects.toMatchObject({ type: "SignOutError" })
      expect(cookies).toMatchObject([{ name: "__Secure-authjs.session-token", value: "", options: { maxAge: 0 } }])
      expect(await auth()).toBeNull()
    },
  )
})

describe("update in a server action", () => {
  it("passes data to the callbacks, sets the cookie and answers the session, by either name", async () => {
    const given = config({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === "update" ? { ...token, name: String(session?.name) } : token,
      },
    })
    for (const name of ["update", "unstable_update"] as const) {
      const { cookies } = arrive(sent(await adaOf(given)))
      expect(await NextAuth(given)[name]({ name: "Countess" })).toMatchObject({ user: { name: "Countess" } })
      expect(cookies.map((cookie) => cookie.name)).toEqual(["__Secure-authjs.session-token"])
    }
  })
})
