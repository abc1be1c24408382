/** One person with sessions in two browsers, and copies of their cookies: what was ended stays ended, whatever happens at the same time. */
import { type SoftwarePasskey, softwarePasskey } from "@latchkey/testing"
import { type ManagedSessions, managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryRecords } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser } from "./browser.js"
import { configOfModel, inLanes } from "./lanes.js"
import { registerPasskey } from "./passkeys.js"
import { withoutSome } from "./without-some.js"
import { makeWorld, type World } from "./world.js"

/** How the application is set up. */
export interface Setup {
  readonly strategy: "jwt" | "database"
  readonly ownTokens: boolean
  readonly without: readonly string[]
  /** Records are no part of the adapter and its transactions. */
  readonly recordsApart: boolean
  /** Sessions are extended whenever they are read. */
  readonly extends: boolean
}

const names = ["first", "second", "copy of first", "copy of second"] as const
type Name = (typeof names)[number]
const deeds = [
  "read",
  "update",
  "link",
  "add a passkey",
  "sign out",
  "end others",
  "end one",
  "sign in",
  "rotate",
] as const
type Deed = (typeof deeds)[number]

/** What happens. */
export type Step =
  | { readonly by: Name; readonly deed: Deed }
  | { readonly deed: "end all" | "steal first" | "steal second" }

/** All steps, those that end sessions apart. */
export const steps: readonly Step[] = names.flatMap((by) => deeds.map((deed) => ({ by, deed })))
export const stealing: readonly Step[] = [{ deed: "steal first" }, { deed: "steal second" }]
export const ending: readonly Step[] = [
  { deed: "end all" },
  ...(["first", "second"] as const).flatMap((by) =>
    (["sign out", "end others", "end one"] as const).map((deed) => ({ by, deed })),
  ),
]

const address = "ada@op.test"

export class EndedStage {
  readonly interleave: ReturnType<typeof inLanes>["interleave"]
  readonly world: World
  readonly #sessions: ManagedSessions
  readonly #browsers: Record<Name, TestBrowser>
  readonly #lineage: Record<Name, number>
  readonly #ended = new Set<Name>()
  readonly #accounts: Record<Name, string>
  readonly #keys: Record<Name, SoftwarePasskey>
  #count = 0
  #userId = ""

  static async open(setup: Setup): Promise<EndedStage> {
    const lanes = inLanes(withoutSome(setup.without))
    const sessions = managedSessions()
    const config = configOfModel(setup)
    const world = await makeWorld({
      adapter: lanes.adapter,
      more: [Passkey()],
      provider: { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified },
      config: {
        ...config,
        session: { ...config.session, ...(setup.extends && { updateAge: 0 }) },
        features: [passkeys(), sessions],
        ...(setup.recordsApart && { records: lanes.wrap(memoryRecords()) }),
      },
    })
    const stage = new EndedStage(world, sessions, lanes.interleave)
    for (const name of ["first", "second"] as const) await stage.act({ by: name, deed: "sign in" })
    stage.#userId = ((await stage.#browsers.first.session()) as { user: { id: string } }).user.id
    for (const step of stealing) await stage.act(step)
    return stage
  }

  private constructor(world: World, sessions: ManagedSessions, interleave: EndedStage["interleave"]) {
    this.world = world
    this.#sessions = sessions
    this.interleave = interleave
    const each = <T>(make: (name: Name) => T) =>
      Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>
    this.#browsers = each(() => world.browser())
    this.#lineage = each(() => ++this.#count)
    this.#before = this.#lineage
    this.#accounts = each((name) => `account of ${name}`)
    this.#keys = each(() => softwarePasskey())
  }

  async act(step: Step): Promise<void> {
    if (!("by" in step)) return this.#actAside(step.deed)
    const { by } = step
    const isEnding = step.deed.startsWith("end")
    // Whoever links an account while signed out registers somebody else.
    if (isEnding && ((await this.#browsers[by].session()) as { user: { id: string } } | null)?.user.id !== this.#userId)
      return
    const browser = this.#browsers[by]
    switch (step.deed) {
      case "read":
        return void (await browser.session())
      case "update":
        return void (await browser.post("/auth/session", { data: "x" } as never, { json: true }))
      case "link":
        return this.#add(by, () => this.#link(by))
      case "add a passkey":
        return this.#add(by, () => registerPasskey(browser, this.#keys[by]))
      case "sign in":
        this.#ended.delete(by)
        await this.world.signInByMail(browser, address)
        this.#stale.delete(by)
        this.#ended.delete(by)
        this.#lineage[by] = ++this.#count
        return
      case "sign out": {
        const { status } = await browser.post("/auth/signout")
        if (status < 400 && !this.#stale.has(by)) this.#end((name) => this.#lineage[name] === this.#lineage[by])
        return
      }
      case "rotate":
        this.#replace(by)
        return this.#take(browser, await this.#sessions.rotate(this.world.auth, this.#source(browser)))
      case "end others": {
        if (this.#ended.has(by)) return
        const { status } = await browser.post("/auth/sessions", { end: "others" })
        // Whoever is signed out meanwhile ends nobody any more.
        if (status < 400 && !this.#ended.has(by) && !this.#stale.has(by))
          this.#end((name) => this.#lineage[name] !== this.#lineage[by])
        this.#replace(by)
        return
      }
      case "end one": {
        const listed = await browser.get("/auth/sessions")
        if (listed.status !== 200) return
        const list = JSON.parse(listed.text) as readonly { readonly id: string; readonly current: boolean }[]
        const other = list.find(({ current }) => !current)
        if (!other) return
        const lineages = new Set<number>()
        for (const name of names) if ((await this.#idOf(name)) === other.id) lineages.add(this.#lineage[name])
        const { status } = await browser.post("/auth/sessions", { end: other.id })
        if (status < 400 && !this.#ended.has(by)) this.#end((name) => lineages.has(this.#lineage[name]))
        return
      }
    }
  }

  async #idOf(name: Name): Promise<string | undefined> {
    const listed = await this.#browsers[name].get("/auth/sessions")
    if (listed.status !== 200) return undefined
    const list = JSON.parse(listed.text) as readonly { readonly id: string; readonly current: boolean }[]
    return list.find(({ current }) => current)?.id
  }

  async #actAside(deed: "end all" | "steal first" | "steal second"): Promise<void> {
    if (deed === "end all") {
      await this.#sessions.endAll(this.world.auth, this.#userId)
      this.#end(() => true)
      return
    }
    const name = deed === "steal first" ? "first" : "second"
    const copy = `copy of ${name}` as const
    const { jar } = this.#browsers[copy]
    jar.clear()
    for (const [key, cookie] of this.#browsers[name].jar) jar.set(key, cookie)
    this.#lineage[copy] = this.#lineage[name]
    if (this.#stale.has(name)) this.#stale.add(copy)
    else this.#stale.delete(copy)
    if (this.#ended.has(name)) this.#ended.add(copy)
    else this.#ended.delete(copy)
  }

  /** Browsers whose token another one has replaced: what they end is not known. */
  readonly #stale = new Set<Name>()

  #replace(by: Name): void {
    for (const name of names) if (name !== by && this.#lineage[name] === this.#lineage[by]) this.#stale.add(name)
  }

  #end(isMeant: (name: Name) => boolean): void {
    for (const name of names) if (isMeant(name)) this.#ended.add(name)
  }

  #source(browser: TestBrowser): { headers: Record<string, string>; secure: true } {
    const cookie = [...browser.jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
    return { headers: { cookie, host: "app.test" }, secure: true }
  }

  #take(browser: TestBrowser, { cookies }: { cookies?: readonly { name: string; value: string }[] }): void {
    for (const { name, value } of cookies ?? []) {
      if (value === "") browser.jar.delete(name)
      else browser.setCookie(name, value)
    }
  }

  /** Whoever is signed in goes on with another session, which copies of the cookie do not know. */
  async #add(by: Name, work: () => Promise<unknown>): Promise<void> {
    const before = await this.#idOf(by)
    await work()
    const after = await this.#idOf(by)
    if (after === before) return
    this.#stale.delete(by)
    if (!this.#ended.has(by)) this.#lineage[by] = ++this.#count
  }

  /** An account that was linked before signs in by itself. */
  async #link(by: Name): Promise<void> {
    const browser = this.#browsers[by]
    const isLinked = async (): Promise<boolean> =>
      Boolean(await this.world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: this.#accounts[by] }))
    if (await isLinked()) this.#isSigningIn.add(by)
    const begun = await browser.post("/auth/signin/op")
    const { op } = this.world
    if (!begun.location?.startsWith(op.issuer)) return
    const person = {
      sub: this.#accounts[by],
      name: "Ada",
      email: `${this.#accounts[by].replaceAll(" ", ".")}@op.test`,
      email_verified: true,
    }
    const back = op.authorize(begun.location, {}, person)
    await browser.get(back.pathname + back.search)
    if (this.#isSigningIn.has(by)) this.#ended.delete(by)
  }

  readonly #isSigningIn = new Set<Name>()
  /** Which sessions the browsers had before a step. */
  #before: Record<Name, number>

  /** Before two steps at once. */
  remember(): void {
    this.#before = { ...this.#lineage }
  }

  /** Forgets browsers that signed in at the same time as sessions were ended: either may be later. */
  forget(...given: readonly Step[]): void {
    for (const step of given)
      if ("by" in step && (step.deed === "sign in" || (step.deed === "link" && this.#isSigningIn.has(step.by))))
        this.#ended.delete(step.by)
    // Signing out finds nothing where the session has just gone on in a copy, as a moment later.
    const out = given.find((step) => "by" in step && step.deed === "sign out") as { by: Name } | undefined
    for (const step of given)
      if (
        out &&
        "by" in step &&
        (step.deed === "link" || step.deed === "add a passkey") &&
        this.#before[step.by] === this.#before[out.by]
      )
        this.#ended.delete(step.by)
    // A copy that was taken while the session was ended is of the same session, or of the next one.
    for (const step of given)
      if (!("by" in step) && step.deed.startsWith("steal")) this.#ended.delete(`copy of ${step.deed.slice(6)}` as Name)
  }

  /** The browsers that are signed in as the person though their session was ended. */
  async faults(): Promise<readonly string[]> {
    const found: string[] = []
    for (const name of this.#ended) {
      const session = (await this.#browsers[name].session()) as { user: { id: string } } | null
      if (session?.user.id === this.#userId) found.push(`${name} is signed in`)
    }
    return found
  }
}
