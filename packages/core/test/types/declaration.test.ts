/** What an application exports keeps its types when the compiler writes its declarations. */
import { describe, expect, it } from "vitest"
import { compile } from "./compile.js"

const place = "packages/core/test/types/application.ts"

describe("declarations", () => {
  it("can be emitted for what an application exports, with the inferred types", { timeout: 60_000 }, () => {
    const { text, complaints } = compile(
      `
      import { Auth, createAuth } from "@latchkey/core"
      import { createClient } from "@latchkey/core/client"
      import { CredentialsSignin } from "@latchkey/core/errors"
      import { getToken } from "@latchkey/core/jwt"
      import { memoryAdapter } from "@latchkey/core/memory"
      import { Credentials } from "@latchkey/core/providers/credentials"
      import { GitHub } from "@latchkey/core/providers/github"
      import { Passkey } from "@latchkey/core/providers/passkey"

      export const github = GitHub({ clientId: "a", profile: (profile) => ({ id: String(profile.id) }) })
      export const pin = Credentials({ credentials: { pin: { label: "PIN" } }, authorize: () => null })
      export const passkey = Passkey()
      export const adapter = memoryAdapter()
      export const auth = createAuth({ providers: [github, pin, passkey], adapter })
      export const { handle, session } = auth
      export const client = createClient({ basePath: "/api/auth" })
      export const read = (request: Request) => auth.session(request)
      export const answer = (request: Request) => Auth(request, { providers: [github] })
      export const claims = (req: Request) => getToken({ req, secret: "s" })
      export const raw = (req: Request) => getToken({ req, raw: true })
      export class Locked extends CredentialsSignin { override code = "locked" }
    `,
      place,
    )
    expect(complaints).toEqual([])
    const lines = text.split("\n")
    for (const [name, type] of [
      ["github", "OAuth2Config<.*GitHubProfile, .*UsualId<.github.>>"],
      ["pin", "CredentialsConfig<{"],
      ["passkey", "WebAuthnConfig"],
      ["adapter", "Required<.*Adapter>"],
      ["auth", "Auth<"],
      ["client", "AuthClient"],
      ["read", "=> Promise<.*SessionAnswer<.*Session>>"],
      ["answer", "=> Promise<Response>"],
      ["claims", "=> Promise<.*JWT \\| null>"],
      ["raw", "=> Promise<string \\| null>"],
    ] as const) {
      const line = lines.find((one) => one.startsWith(`export declare const ${name}:`))
      expect(line, name).toMatch(new RegExp(type))
    }
    expect(text).not.toMatch(/\bany\b/)
  })
})

/** An application of the usual size, with everything that is inferred. */
const application = `
  import { createAuth } from "@latchkey/core"
  import { Credentials } from "@latchkey/core/providers/credentials"
  import { GitHub } from "@latchkey/core/providers/github"
  export const auth = createAuth({
    providers: [GitHub({ clientId: "a" }), Credentials({ authorize: () => null })],
    session: { strategy: "jwt" },
    callbacks: {
      jwt: ({ token, user }) => ({ ...token, plan: user ? "free" : String(token["plan"]) }),
      session: ({ session, token }) => ({ expires: session.expires, user: { id: String(token.sub), plan: token.plan } }),
    },
  })
  export const read = async (request: Request) => (await auth.session(request)).session
  export const planOf = async (request: Request) => (await read(request))?.user.plan
`

describe("types of users, sessions, tokens and stored users", () => {
  it("are opened by an application that imports nothing from where they are declared", { timeout: 60_000 }, () => {
    const { complaints } = compile(
      `
      import { createAuth } from "@latchkey/core"
      declare module "@latchkey/core/types" { interface User { role?: "admin" } }
      declare module "@latchkey/core/jwt" { interface JWT { stars?: number } }
      declare module "@latchkey/core/adapters" { interface AdapterUser { since?: Date } }
      export const auth = createAuth({
        providers: [],
        session: { strategy: "jwt" },
        callbacks: { jwt: ({ token }) => ({ ...token, stars: (token.stars ?? 0) + 1 }) },
      })
    `,
      place,
    )
    expect(complaints).toEqual([])
  })
})

describe("what is inferred", () => {
  it("is part of the declarations of the application", { timeout: 60_000 }, () => {
    const { text, complaints } = compile(application, place)
    expect(complaints).toEqual([])
    expect(text).toMatch(/const auth: import\("@latchkey\/core"\)\.Auth<\{[^}]*user: \{\s*id: string;\s*plan: string;/)
    expect(text).toMatch(/\}, "github" \| "credentials">|\}, "credentials" \| "github">/)
    expect(text).toMatch(/planOf: \(request: Request\) => Promise<string \| undefined>/)
  })

  it("stays within the budget of type instantiations", { timeout: 60_000 }, () => {
    // Measured 4,200 with TypeScript 6.0.
    expect(compile(application, place).instantiations).toBeLessThan(8000)
    const bare = `import { createAuth } from "@latchkey/core"\nexport const auth = createAuth({})`
    // Measured 120.
    expect(compile(bare, place).instantiations).toBeLessThan(500)
  })
})
