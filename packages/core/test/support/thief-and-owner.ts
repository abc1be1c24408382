/**
 * A person who claims an address, and its owner who proves it: what either of them can do, in any order and at the same
 * time, and what must be true in the end.
 */
import { type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { TestBrowser, Visit } from "./browser.js"
import { configOfModel, inLanes } from "./lanes.js"
import { registerPasskey, signInByPasskey } from "./passkeys.js"
import { withoutSome } from "./without-some.js"
import { makeWorld, type World } from "./world.js"

/** How the application is set up. */
export interface Setup {
  readonly strategy: "jwt" | "database"
  /** What is kept of sessions beside what opens them. */
  readonly keeps: "nothing" | "facts" | "records"
  /** The application makes the tokens of rows. */
  readonly ownTokens: boolean
  readonly mail: boolean
  /** The provider that verifies addresses may link by them. */
  readonly links: boolean
  /** Operations that the adapter does not have. */
  readonly without: readonly string[]
}

const address = "ada@op.test"
const claims = {
  owner: { sub: "owner", name: "Ada", email: address, email_verified: true },
  ownerSilent: { sub: "owner-silent", name: "Ada", email: address },
  thief: { sub: "thief", name: "Eve", email: "eve@evil.test", email_verified: true },
  thiefClaims: { sub: "thief-claims", name: "Eve", email: address, email_verified: false },
  thiefSilent: { sub: "thief-silent", name: "Eve", email: address },
  thiefSilentOwn: { sub: "thief-silent-own", name: "Eve", email: "eve@evil.test" },
} as const
type Who = keyof typeof claims

/** What either of them can do. */
export const actions = [
  "thief: silent, claiming",
  "thief: silent, own address",
  "thief: provider, claiming",
  "thief: provider, own address",
  "thief: silent, claiming, second browser",
  "thief: passkey at the address",
  "thief: passkey in the session",
  "thief: sign in by passkey",
  "thief: sign in by passkey, second browser",
  "thief: remove a passkey",
  "thief: sign out",
  "thief: end others",
  "thief: read",
  "thief: begin a flow",
  "thief: ask to register a passkey",
  "owner: mail",
  "owner: provider",
  "owner: silent",
  "owner: mail, second browser",
  "owner: passkey in the session",
  "owner: sign in by passkey",
  "owner: sign out",
  "owner: end others",
  "owner: read",
  "led: owner finishes what the thief began",
  "led: owner, second browser, finishes what the thief began",
] as const
export type Action = (typeof actions)[number]

const byClaim = (profile: { email_verified?: boolean }): boolean | undefined => profile.email_verified

const checksIn = ({ jar }: TestBrowser): [string, string][] =>
  [...jar].flatMap(([name, { value }]) => (/authjs\.(state|pkce|nonce|challenge)/.test(name) ? [[name, value]] : []))

/** Both people in front of one application. */
export class ClaimedStage {
  readonly #browsers: Record<"thief" | "thief2" | "owner" | "owner2", TestBrowser>
  readonly #keys: Record<"thief" | "thiefClaiming" | "owner", SoftwarePasskey> = {
    thief: softwarePasskey(),
    thiefClaiming: softwarePasskey(),
    owner: softwarePasskey(),
  }
  readonly world: World
  readonly setup: Setup
  readonly interleave: ReturnType<typeof inLanes>["interleave"]
  /** What the thief has begun: it is finished by a browser that has these cookies. */
  #begun: {
    readonly cookies: readonly (readonly [string, string])[]
    finish(browser: TestBrowser): Promise<unknown>
  }[] = []
  /** The user whose address the owner has proven. */
  proven: string | undefined
  /** Browsers in which the owner is signed in since then. */
  readonly #signedIn = new Set<"owner" | "owner2">()

  static async open(setup: Setup, store: Adapter = withoutSome(setup.without)): Promise<ClaimedStage> {
    const { adapter, interleave } = inLanes(store)
    const world = await makeWorld({
      adapter,
      provider: { emailVerified: byClaim, allowDangerousEmailAccountLinking: setup.links },
      second: { id: "silent" },
      more: [Passkey()],
      ...(!setup.mail && { mail: false }),
      config: {
        ...configOfModel(setup),
        features: { nothing: [], facts: [passkeys()], records: [passkeys(), managedSessions()] }[setup.keeps],
      },
    })
    return new ClaimedStage(setup, world, interleave)
  }

  private constructor(setup: Setup, world: World, interleave: ClaimedStage["interleave"]) {
    this.setup = setup
    this.world = world
    this.interleave = interleave
    const open = (): TestBrowser => world.browser()
    this.#browsers = { thief: open(), thief2: open(), owner: open(), owner2: open() }
  }

  async #signIn(browser: TestBrowser, provider: "op" | "silent", who: Who): Promise<Visit> {
    const begun = await browser.post(`/auth/signin/${provider}`)
    const { op } = this.world
    if (!begun.location?.startsWith(op.issuer)) return begun
    const back = op.authorize(begun.location, {}, claims[who])
    return browser.get(back.pathname + back.search)
  }

  /** The mail is found by what was sent in between: two at once may take each other's, both are the owner's. */
  async #mail(browser: TestBrowser): Promise<Visit | undefined> {
    if (!this.setup.mail) return undefined
    return this.world.signInByMail(browser, address)
  }

  async #prove(name: "owner" | "owner2", visit: Visit | undefined): Promise<void> {
    if (!visit?.location || visit.location.includes("error=")) return
    const session = await this.sessionOf(this.#browsers[name])
    if (session?.user.email !== address) return
    this.proven = session.user.id
    // The first proof of an address ends what was signed in before.
    this.#signedIn.clear()
    this.#signedIn.add(name)
  }

  remember(): void {}

  /** Two steps of the owner at once: either may end the session of the other. */
  forget(...both: readonly Action[]): void {
    if (both.every((one) => one.startsWith("owner"))) this.#signedIn.clear()
  }

  async sessionOf(browser: TestBrowser): Promise<{ user: { id: string; email?: string } } | null> {
    return (await browser.session()) as never
  }

  async act(action: Action): Promise<void> {
    const { thief, thief2, owner, owner2 } = this.#browsers
    const keys = this.#keys
    switch (action) {
      case "thief: silent, claiming":
        return void (await this.#signIn(thief, "silent", "thiefSilent"))
      case "thief: silent, claiming, second browser":
        return void (await this.#signIn(thief2, "silent", "thiefSilent"))
      case "thief: silent, own address":
        return void (await this.#signIn(thief, "silent", "thiefSilentOwn"))
      case "thief: provider, claiming":
        return void (await this.#signIn(thief, "op", "thiefClaims"))
      case "thief: provider, own address":
        return void (await this.#signIn(thief, "op", "thief"))
      case "thief: passkey at the address":
        return void (await registerPasskey(thief, keys.thiefClaiming, address))
      case "thief: passkey in the session":
        return void (await registerPasskey(thief, keys.thief))
      case "thief: sign in by passkey":
        return void (await this.#byPasskey(thief))
      case "thief: sign in by passkey, second browser":
        return void (await this.#byPasskey(thief2))
      case "thief: remove a passkey":
        return this.#removePasskey(thief)
      case "thief: sign out":
        return void (await thief.post("/auth/signout"))
      case "thief: end others":
        return this.#endOthers(thief)
      case "thief: read":
        return void (await Promise.all([thief.session(), thief2.session()]))
      case "thief: begin a flow":
        return this.#beginFlow(thief)
      case "thief: ask to register a passkey":
        return this.#beginRegistration(thief)
      case "led: owner finishes what the thief began":
        return this.#lead("owner")
      case "led: owner, second browser, finishes what the thief began":
        return this.#lead("owner2")
      case "owner: mail":
        return this.#prove("owner", await this.#mail(owner))
      case "owner: mail, second browser":
        return this.#prove("owner2", await this.#mail(owner2))
      case "owner: provider":
        return this.#prove("owner", await this.#signIn(owner, "op", "owner"))
      case "owner: silent":
        return void (await this.#signIn(owner2, "silent", "ownerSilent"))
      case "owner: passkey in the session":
        return this.#signedIn.has("owner") ? void (await registerPasskey(owner, keys.owner)) : undefined
      case "owner: sign in by passkey":
        if (keys.owner.credentials.length === 0) return
        return void (await signInByPasskey(owner2, keys.owner))
      case "owner: sign out":
        this.#signedIn.delete("owner")
        return void (await owner.post("/auth/signout"))
      case "owner: end others":
        if (this.setup.keeps !== "records" || !this.#signedIn.has("owner")) return
        this.#signedIn.delete("owner2")
        return this.#endOthers(owner)
      case "owner: read":
        return void (await Promise.all([owner.session(), owner2.session()]))
    }
  }

  async #beginFlow(browser: TestBrowser): Promise<void> {
    const { location } = await browser.post("/auth/signin/op")
    if (!location?.startsWith(this.world.op.issuer)) return
    const back = this.world.op.authorize(location, {}, claims.thief)
    this.#begun.push({ cookies: checksIn(browser), finish: (other) => other.get(back.pathname + back.search) })
  }

  async #beginRegistration(browser: TestBrowser): Promise<void> {
    const asked = await browser.get("/auth/webauthn-options/passkey?action=register")
    if (asked.status !== 200) return
    const { action, options } = JSON.parse(asked.text)
    if (action !== "register") return
    const data = JSON.stringify(await this.#keys.thief.create(options))
    const finish = (other: TestBrowser) => other.post("/auth/callback/passkey", { action, data }, { csrf: false })
    this.#begun.push({ cookies: checksIn(browser), finish })
  }

  /** What a page on a neighbouring host can do. Whoever is led to sign in as the thief is signed in no longer. */
  async #lead(name: "owner" | "owner2"): Promise<void> {
    const browser = this.#browsers[name]
    for (const { cookies, finish } of this.#begun) {
      for (const [key, value] of cookies) browser.setCookie(key, value)
      await finish(browser)
    }
    const session = await this.sessionOf(browser)
    if (session && session.user.id !== this.proven) this.#signedIn.delete(name)
  }

  async #byPasskey(browser: TestBrowser): Promise<void> {
    for (const key of [this.#keys.thief, this.#keys.thiefClaiming])
      if (key.credentials.length > 0) await signInByPasskey(browser, key)
  }

  async #removePasskey(browser: TestBrowser): Promise<void> {
    const listed = await browser.get("/auth/passkeys")
    if (listed.status !== 200) return
    const list = JSON.parse(listed.text) as readonly { readonly id: string }[]
    const [entry] = Array.isArray(list) ? list : []
    if (entry) await browser.post("/auth/passkeys", { remove: entry.id, last: "true" })
  }

  async #endOthers(browser: TestBrowser): Promise<void> {
    if (this.setup.keeps === "records") await browser.post("/auth/sessions", { end: "others" })
  }

  /** What is wrong in the end: who is signed in as the user that the owner has proven, and who should be and is not. */
  async faults(): Promise<readonly string[]> {
    const { proven, world } = this
    if (proven === undefined) return []
    const found: string[] = []
    const isIn = async (browser: TestBrowser): Promise<boolean> => {
      const session = await this.sessionOf(browser)
      return session?.user.id === proven
    }
    for (const name of ["thief", "thief2"] as const)
      if (await isIn(this.#browsers[name])) found.push(`${name} is signed in`)
    const ways: [string, (browser: TestBrowser) => Promise<unknown>][] = [
      ["silent, claiming", (browser) => this.#signIn(browser, "silent", "thiefSilent")],
      ["silent, own", (browser) => this.#signIn(browser, "silent", "thiefSilentOwn")],
      ["provider, own", (browser) => this.#signIn(browser, "op", "thief")],
      ["provider, claiming", (browser) => this.#signIn(browser, "op", "thiefClaims")],
      ["passkey", (browser) => this.#anyOf(this.#keys.thief, browser)],
      ["first passkey", (browser) => this.#anyOf(this.#keys.thiefClaiming, browser)],
    ]
    for (const [way, signIn] of ways) {
      const browser = world.browser()
      await signIn(browser)
      if (await isIn(browser)) found.push(`the thief signs in: ${way}`)
    }
    for (const name of this.#signedIn) if (!(await isIn(this.#browsers[name]))) found.push(`${name} is signed out`)
    if (this.setup.mail) {
      const browser = world.browser()
      await this.#mail(browser)
      if (!(await isIn(browser))) found.push("the owner cannot sign in by mail")
    }
    return found
  }

  /** Each credential of an authenticator that holds several. */
  async #anyOf(key: SoftwarePasskey, browser: TestBrowser): Promise<void> {
    if (key.credentials.length > 0) await signInByPasskey(browser, key)
  }
}
