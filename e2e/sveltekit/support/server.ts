/** Runs a built application and everything it talks to: an identity provider and a mail server. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createMailbox, createProvider, type Mailbox, type TestProvider } from "@latchkey/testing"
import { bareEnvironment } from "./command.js"
import type { Application } from "./fixture.js"

/** A running application. */
export interface Running {
  readonly origin: string
  /** Origin and base path: the address of the home page. */
  readonly home: string
  readonly op: TestProvider
  readonly mailbox: Mailbox
  /** What it wrote, output and errors together. */
  said(): string
  stop(): Promise<void>
}

/** The variables of an application, which may depend on what it talks to. */
export type Variables = (given: Pick<Running, "mailbox" | "op">) => Readonly<Record<string, string>>

/** Starts `node build` as in production. Resolves when it listens. The identity provider calls back for `provider`. */
export async function start(application: Application, provider: string, variables: Variables): Promise<Running> {
  const origin = `http://localhost:${application.port}`
  const home = `${origin}${application.base}`
  const op = await createProvider({ redirectUris: [`${home}/auth/callback/${provider}`] })
  const mailbox = await createMailbox()
  const child = spawn(application.node, ["build"], {
    cwd: application.folder,
    env: {
      ...bareEnvironment(),
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(application.port),
      ORIGIN: origin,
      AUTH_URL: origin,
      AUTH_SECRET: "a secret of the journeys that is long enough",
      ...variables({ mailbox, op }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let said = ""
  const ended = once(child, "close")
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM")
    await Promise.all([ended, op.close(), mailbox.close()])
  }
  const listening = new Promise<void>((resolve) => {
    const keep = (chunk: Buffer): void => {
      said += chunk.toString()
      if (said.includes("Listening on")) resolve()
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
  })
  const failed = ended.then(() => {
    throw new Error(`The application did not start:\n${said}`)
  })
  // Once it listens, its end is no failure of the start.
  failed.catch(() => {})
  await Promise.race([listening, failed])
  return { origin, home, op, mailbox, said: () => said, stop }
}
