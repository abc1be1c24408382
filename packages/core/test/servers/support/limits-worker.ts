/**
 * A process of an application under attack: many clients type wrong passwords at the same moment. Says that it is ready,
 * begins when it is sent a line, and says what came of it as JSON.
 */
import { once } from "node:events"
import { createAuth } from "../../../src/index.js"
import type { Adapter } from "../../../src/types/adapter.js"
import type { AuthConfig } from "../../../src/types/config.js"
import { recordVerbs } from "../../../src/types/records.js"
import { passwordProvider, plainSettings } from "../../support/password-service.js"
import { openStore } from "./open-store.js"

/** What a process is to do. */
export interface Siege {
  readonly url: string
  readonly limits: AuthConfig["limits"]
  readonly clients: number
  /** Whom they guess at: all at `ada`, or each at somebody else. */
  readonly at: "one" | "many"
  /** Where all of them come from. */
  readonly address?: string
  /** The cookies of Ada's browser, in which she signs in meanwhile with the right password. */
  readonly owner?: string
}

/** What came of it. */
export interface Besieged {
  /** How many passwords were looked at. */
  readonly checked: number
  readonly refused: number
  /** Did Ada get in, and what her browser keeps. */
  readonly entered: boolean
  readonly cookies: string
  /** What the log held beside refusals. */
  readonly faults: readonly string[]
  readonly recordCalls: number
}

const siege = JSON.parse(process.argv[2] ?? "{}") as Siege
const faults: string[] = []
let checked = 0
let recordCalls = 0

/** The adapter; counts what is asked of its records. */
function counting(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method === "function" && (recordVerbs as readonly unknown[]).includes(name)) recordCalls += 1
      return method
    },
  })
}

/** What a driver said, so that a failing run says why. */
const causeOf = ({ cause }: Error): string => String((cause as { readonly err?: unknown } | undefined)?.err ?? "")

const store = await openStore(siege.url)
const count = (_username: string, password: string): void => {
  if (password !== "right") checked += 1
}
const auth = createAuth(
  {
    ...plainSettings,
    providers: [passwordProvider(count)],
    adapter: counting(store.adapter),
    ...(siege.limits !== undefined && { limits: siege.limits }),
    logger: {
      ...plainSettings.logger,
      error: (error) => void (error.name === "AdapterError" && faults.push(`${error.message} ${causeOf(error)}`)),
    },
  },
  { env: { NODE_ENV: "production" } },
)

const signIn = (username: string, password: string, cookie?: string): Promise<Response> =>
  auth.handle(
    new Request("https://app.test/auth/callback/password", {
      method: "POST",
      headers: cookie ? { cookie } : {},
      body: new URLSearchParams({ username, password }),
    }),
    { address: siege.address },
  )

const names = Array.from({ length: siege.clients }, (_, index) =>
  siege.at === "one" ? "ada" : `person-${process.pid}-${index}`,
)
recordCalls = 0
process.stdout.write("ready\n")
await once(process.stdin, "data")
process.stdin.pause()
const guesses = names.map((name) => signIn(name, "wrong"))
const owners = await signIn("ada", "right", siege.owner)
const answers = await Promise.all(guesses)
await store.close()
const cookies = owners.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "")
const result: Besieged = {
  checked,
  refused: answers.filter(({ status }) => status === 429).length,
  entered: cookies.some((cookie) => /session-token=./.test(cookie)),
  cookies: cookies.join("; "),
  faults,
  recordCalls,
}
process.stdout.write(JSON.stringify(result))
