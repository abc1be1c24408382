/** The pages of first steps, followed word by word with packages from a registry: to the first sign-in, and to their end. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { type Step, stepsOf } from "./page.js"
import { Reader } from "./reader.js"
import { openRegistry, type Registry } from "./registry.js"
import { signInAt } from "./visit.js"

let registry: Registry
let reader: Reader
beforeAll(async () => {
  registry = await openRegistry()
})
afterAll(() => registry?.close())
afterEach(() => reader?.leave())

interface Page {
  readonly name: string
  /** @default "/auth" */
  readonly basePath?: string
  /** The page of its own that the reader makes. @default "/account" */
  readonly guarded?: string
  /** Checks the types, where the starter has them. */
  readonly check?: string
  /** @default ".env" */
  readonly envFile?: string
}

const pages: readonly Page[] = [
  { name: "express" },
  { name: "hono", check: "npx tsc --noEmit" },
  { name: "sveltekit", check: "npm run check" },
  { name: "next", basePath: "/api/auth", check: "npm run build", envFile: ".env.local" },
  { name: "request", guarded: "/" },
]

/** What is read before the section that changes to a provider of the outside. */
function parted(steps: readonly Step[]): [before: Step[], after: Step[]] {
  const at = steps.findIndex((step) => step.kind === "command" && step.line.includes("cli providers github"))
  return [steps.slice(0, at), steps.slice(at)]
}

/** The path of the sign-in page, as a redirect or as what a page that is sent in parts says to the browser. */
async function whereStrangersAreSent(address: string): Promise<string> {
  const { url, ok, text } = await fetch(address).then(async (answer) => ({
    url: answer.url,
    ok: answer.ok,
    text: await answer.text(),
  }))
  const refresh = /http-equiv="refresh" content="\d+;url=([^"?]+)\?/.exec(text)?.[1]
  return ok ? (refresh ?? new URL(url).pathname) : `${url}: not there`
}

/** What the buttons of a sign-in page say. */
async function buttonsAt(address: string): Promise<string[]> {
  const text = await (await fetch(address)).text()
  return [...text.matchAll(/<button class="provider[^>]*>.*?<span>([^<]*)<\/span>/g)].map(([, label = ""]) => label)
}

it.each(pages)(
  "the first steps with $name lead from an empty folder to a page for people who are signed in",
  async (page) => {
    const { name, basePath = "/auth", guarded = "/account", check, envFile = ".env" } = page
    const [first, then] = parted(await stepsOf(name))
    reader = await Reader.arrive(registry)
    await reader.follow(first)
    // A development server takes a moment for the files that have been written.
    const sentTo = (): Promise<string> => whereStrangersAreSent(`${reader.origin}${guarded}`)
    await expect.poll(sentTo, { timeout: 30_000 }).toBe(`${basePath}/signin`)
    expect(await buttonsAt(`${reader.origin}${basePath}/signin`)).toEqual(["Continue with Development"])
    const { session, visit } = await signInAt(reader.origin, basePath)
    expect(session).toMatchObject({ user: { id: expect.any(String), name: "Ada Lovelace", email: "ada@op.example" } })
    expect((await visit(`${reader.origin}${guarded}`)).text).toMatch(/Hello, (?:<!-- -->)?Ada Lovelace/)
    if (check !== undefined) await reader.type(check)

    await reader.follow(then)
    reader.exchangeVariables(envFile, ["AUTH_GITHUB_ID=0123456789abcdef0123", `AUTH_GITHUB_SECRET=${"0a".repeat(20)}`])
    await reader.startAgain()
    expect(await buttonsAt(`${reader.origin}${basePath}/signin`)).toEqual(["Continue with GitHub"])
    expect(await reader.type("npx @latchkey/cli doctor")).toContain("No problems found.")
    if (check !== undefined) await reader.type(check)
  },
)
