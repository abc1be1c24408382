/** Ways for a sign-in to fail, one for each public error value. */
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TestBrowser, Visit } from "./browser.js"
import { credentialsProvider } from "./credentials.js"
import { watched } from "./watched.js"
import type { World, WorldOptions } from "./world.js"

/** What a person does until it fails. */
export type Act = (world: World, browser: TestBrowser) => Promise<Visit>
/** A failure, and how it is reported. */
export interface Case {
  readonly options?: WorldOptions
  readonly act: Act
  /** Class of the error in the log. */
  readonly logged: string
  /** Status of the JSON that scripts get. */
  readonly status: number
}

/** Rejects. */
export const down = (): Promise<never> => Promise.reject(new Error("down"))
/** An adapter whose named operations fail. */
export const fails = (...operations: string[]): Partial<AuthConfig> => ({
  adapter: Object.assign(watched().adapter, Object.fromEntries(operations.map((operation) => [operation, down]))),
})
/** The same for one that writes people and session in one transaction, and takes back who was made in one that fails. */
export const failsTogether = (...operations: string[]): Partial<AuthConfig> => {
  const adapter = fails(...operations).adapter ?? {}
  const transaction: Adapter["transaction"] = async (work) => {
    const made: string[] = []
    const createUser: Adapter["createUser"] = async (draft) => {
      const user = await adapter.createUser?.(draft)
      made.push(user?.id ?? "")
      return user ?? draft
    }
    try {
      return await work({ ...adapter, createUser })
    } catch (error) {
      for (const id of made) await adapter.deleteUser?.(id)
      throw error
    }
  }
  return { adapter: { ...adapter, transaction } }
}
/** Signs in at the provider. */
export const byOp: Act = (world, browser) => world.signInAtOp(browser)
/** Signs in by mail. */
export const byMail: Act = (world, browser) => world.signInByMail(browser, "ada@op.test")
/** The provider answers with other parameters. */
export const answerOf =
  (extra: Record<string, string>): Act =>
  (world, browser) =>
    world.signInAtOp(browser, { extra })
/** A world with such an `authorize` function. */
export const credentials = (authorize: () => unknown): WorldOptions => ({
  strategy: "jwt",
  more: [credentialsProvider(authorize)],
})
/** Signs in by credentials. */
export const byCredentials: Act = (_, browser) => browser.post("/auth/callback/credentials", { name: "ada" })
/** Throws. */
export const throws = (): never => {
  throw new Error("down")
}
/** Signs in at the provider with the address of somebody else. */
export const byOpUnlinked: Act = async (world, browser) => {
  await byMail(world, world.browser())
  return byOp(world, browser)
}
/** Signs in while an endpoint of the provider fails. */
export const faulty =
  (endpoint: "discovery" | "token" | "jwks", answer: () => Response | Promise<Response>): Act =>
  (world, browser) => {
    world.op.faults[endpoint] = answer
    return byOp(world, browser)
  }
/** An answer that is none. */
export const notFound = (): Response => new Response("{}", { status: 404 })
/** Answers a ceremony with nothing. */
export const wrongPasskey: Act = async (_, browser) => {
  await browser.get("/auth/webauthn-options/passkey?action=authenticate")
  return browser.post("/auth/callback/passkey", { action: "authenticate", data: "{}" }, { csrf: false })
}
/** Begins without the CSRF token. */
export const noToken: Act = (_, browser) => browser.post("/auth/signin/op", {}, { csrf: false })
/** Comes back in a browser that never left. */
export const badState: Act = async (world, browser) => {
  const { location = "" } = await browser.post("/auth/signin/op")
  const back = world.op.authorize(location)
  browser.jar.clear()
  return browser.get(back.pathname + back.search)
}
/** A world whose mails are not sent. */
export const noMail = (over: object): WorldOptions => ({
  more: [{ id: "post", name: "Post", type: "email", sendVerificationRequest: down, ...over } as never],
})
/** Asks for a link there. */
export const byPost =
  (email: string): Act =>
  (_, browser) =>
    browser.post("/auth/signin/post", { email })
