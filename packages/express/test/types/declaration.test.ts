/** The types of Express are opened for those who ask for it alone, and what was opened survives in written declarations. */
import { describe, expect, it } from "vitest"
import { type Compiled, compile, root } from "../../../core/test/types/compile.js"

/** Compiles a module of an application that uses this package. */
function declare(source: string): Compiled {
  const door = `${root}packages/express/src`
  const paths = {
    "@latchkey/core": [`${root}packages/core/src/index.ts`],
    "@latchkey/core/*": [`${root}packages/core/src/*.ts`],
    "@latchkey/express": [`${door}/index.ts`],
    "@latchkey/express/*": [`${door}/*.ts`],
  }
  return compile(source, "packages/express/test/types/application.ts", { paths })
}

const handlers = `
  import type { Session } from "@latchkey/express"
  import type { Request, Response } from "express"
  export const nameOf = (res: Response) => res.locals.session?.user?.name
  export const personOf = (req: Request) => req.auth?.session
  export const session = (res: Response): Session | null | undefined => res.locals.session
`

describe("types of res.locals and req", { timeout: 60_000 }, () => {
  it("are there for those who import them, also in the declarations of their own", () => {
    const { text, complaints } = declare(
      `import "@latchkey/express/augment"\nimport "@latchkey/express/augment-request"\n${handlers}`,
    )
    expect(complaints).toEqual([])
    expect(text).toContain('import "@latchkey/express/augment"')
    expect(text).toMatch(/nameOf: \(res: Response\) => string \| null \| undefined/)
    expect(text).toMatch(/personOf: \(req: Request\) => .*Session \| null \| undefined/)
    expect(text).not.toMatch(/\bany\b/)
  })

  it("are not there for anybody else", () => {
    const { complaints } = declare(handlers)
    expect(complaints).toEqual([expect.stringContaining("'auth' does not exist")])
  })

  it("of sessions, users and tokens are opened through this package alone", () => {
    const { text, complaints } = declare(`
      import { ExpressAuth } from "@latchkey/express"
      declare module "@latchkey/express/types" {
        interface Session { tenant?: number }
        interface User { role?: "admin" | "reader" }
      }
      declare module "@latchkey/express/jwt" {
        interface JWT { stars?: number }
      }
      export const auth = ExpressAuth({
        session: { strategy: "jwt" },
        callbacks: { jwt: ({ token }) => ({ ...token, stars: (token.stars ?? 0) + 1 }) },
      })
      export const tenantOf = async (req: never) => (await auth.session(req))?.tenant
      export const roleOf = async (req: never) => (await auth.session(req))?.user?.role
    `)
    expect(complaints).toEqual([])
    expect(text).toMatch(/tenantOf: \(req: never\) => Promise<number \| undefined>/)
    expect(text).toMatch(/roleOf: \(req: never\) => Promise<"admin" \| "reader" \| undefined>/)
  })

  it("of the handlers can be written down", () => {
    const { text, complaints } = declare(`
      import { authSession, ExpressAuth, getSession, requireSession, signIn, signOut } from "@latchkey/express"
      import type { Request, Response } from "express"
      const config = { providers: [] }
      export const handler = ExpressAuth(config)
      export const guards = [authSession(config), requireSession({ status: 403 })]
      export const read = (req: Request) => getSession(req, config)
      export const enter = (req: Request, res: Response) => signIn(req, res, config, { redirect: false })
      export const leave = (req: Request, res: Response) => signOut(req, res, config)
    `)
    expect(complaints).toEqual([])
    expect(text).not.toMatch(/\bany\b.*(?:Session|SignResult)/)
  })
})
