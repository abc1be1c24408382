/** `latchkey dev`: an OpenID provider and a mail server on this machine, for a first sign-in without an outside account. */
import { randomBytes } from "node:crypto"
import type * as Testing from "@latchkey/testing"
import { variablesOf } from "../catalogue.js"
import { type Command, defineCommand, exitCodes, Failure, UsageError } from "../command.js"
import { advice, written } from "../dev/variables.js"
import { type EnvFiles, readEnvFiles } from "../env-files.js"
import { type Paint, painter } from "../style.js"
import { codeOf } from "../system-world.js"
import { withoutPasswords } from "../thrown.js"
import type { Environment } from "../world.js"

/** Where the provider listens by default; the mail server has the next port. */
export const devPort = 4400

/** What an application has to have in its environment to sign in at the provider. */
export function devVariables(
  id: string,
  { env, port }: { env: Environment; port?: number | undefined },
): Record<string, string> {
  const names = variablesOf(id)
  const issuer = port === undefined ? env[names.issuer] : undefined
  return {
    [names.id]: env[names.id] || "latchkey-dev",
    [names.secret]: env[names.secret] || randomBytes(32).toString("base64url"),
    [names.issuer]: issuer || `http://127.0.0.1:${port ?? devPort}`,
  }
}

/** The port of an issuer on this machine. */
function portOf(issuer: string): number {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (url?.protocol === "http:" && url.hostname === "127.0.0.1" && url.pathname === "/") return Number(url.port || 80)
  throw new Failure(
    `The issuer in the environment: expected http://127.0.0.1:<port>, received "${withoutPasswords(issuer)}". Name another provider with --id, or a port with --port.`,
  )
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_535) return port
  throw new UsageError(`--port: expected a number from 1 to 65534, received "${text}".`)
}

interface Servers {
  readonly provider: Testing.TestProvider
  readonly mailbox: Testing.Mailbox
}

async function open(
  testing: typeof Testing,
  given: { id: string; port: number; secret: string; clientId: string },
  onMail: (mail: Testing.Mail) => void,
): Promise<Servers> {
  const { id, port, secret, clientId } = given
  try {
    const provider = await testing.createProvider({ id, port, client: { id: clientId, secret }, hasChooser: true })
    try {
      return { provider, mailbox: await testing.createMailbox({ port: port + 1, onMail }) }
    } catch (error) {
      await provider.close()
      throw error
    }
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error
    throw new Failure(`Port ${port} or ${port + 1} is taken. Is it running already? Another port: --port <number>.`)
  }
}

interface Announced {
  readonly id: string
  readonly servers: Servers
  /** What is said of the variables. */
  readonly said: readonly string[]
}

function announce({ id, servers, said }: Announced, paint: Paint): string {
  return `
  Provider   ${paint("strong", servers.provider.issuer)} · choose there who signs in
  Mail       ${paint("strong", servers.mailbox.server)} · what arrives is printed here

${said.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}

  In the list of providers:

    { id: "${id}", name: "Development", type: "oidc" }

  Ctrl-C stops both. They listen on this machine only.
`
}

export const dev: Command = defineCommand({
  name: "dev",
  summary: "start a provider and a mail server for development",
  details: `Starts an OpenID provider (the certified oidc-provider) and a mail server on this machine, so that people can
sign in before there is an account at any outside service. Its page lets you choose who signs in. Needs the
package @latchkey/testing.`,
  options: {
    id: {
      value: "ID",
      text: "id of the provider in your configuration (default: dev); with google, an application that has Google goes here",
    },
    port: { value: "NUMBER", text: `port of the provider, the mail server has the next one (default: ${devPort})` },
    write: { value: "FILE", text: "put the variables into FILE; one that has a value there is never changed" },
    json: { text: "print where the servers are, and then each mail, as lines of JSON" },
  },
  exits: { fine: "stopped", failed: "a port is taken, or the package is missing" },
  async run({ options }, world) {
    const { terminal } = world
    const id = options.id ?? "dev"
    const environs = (): EnvFiles => readEnvFiles({ mode: world.env.NODE_ENV ?? "development" }, world)
    const { env } = environs()
    const names = variablesOf(id)
    const variables = devVariables(id, { env, port: numberOf(options.port) })
    const missing = Object.fromEntries(Object.entries(variables).filter(([name, value]) => env[name] !== value))
    const port = portOf(variables[names.issuer] ?? "")
    const testing = (await world.importTool("@latchkey/testing")) as unknown as typeof Testing
    const paint = painter(terminal.colours.out)
    const client = { clientId: variables[names.id] ?? "", secret: variables[names.secret] ?? "" }
    const servers = await open(testing, { id, port, ...client }, (mail) => {
      terminal.out(
        options.json
          ? `${JSON.stringify({ mail: { to: mail.to, subject: mail.subject, text: mail.text || mail.html } })}\n`
          : `\n  Mail to ${mail.to}: ${paint("strong", mail.subject)}\n${mail.text || mail.html}\n`,
      )
    })
    const said =
      options.write === undefined ? advice(missing, env) : written(options.write, missing, { world, environs })
    // A secret of the application is none of ours to print.
    const { [names.secret]: made, ...others } = variables
    const shown = env[names.secret] ? others : { ...others, [names.secret]: made }
    const notes = options.write === undefined ? {} : { notes: said }
    const started = { id, issuer: servers.provider.issuer, mail: servers.mailbox.server, variables: shown, ...notes }
    terminal.out(options.json ? `${JSON.stringify(started)}\n` : announce({ id, servers, said }, paint))
    await world.stopped()
    await Promise.all([servers.provider.close(), servers.mailbox.close()])
    return exitCodes.fine
  },
})
