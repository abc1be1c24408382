/** `latchkey providers`: which providers there are, and what one of them needs. */
import { type CatalogueEntry, isRemote, knownIds, neededVariables, readProvider } from "../catalogue.js"
import { type Command, defineCommand, exitCodes } from "../command.js"
import { painter, wrapped } from "../style.js"

const kinds: Readonly<Record<string, string>> = {
  oauth: "OAuth 2",
  oidc: "OpenID Connect",
  email: "e-mail",
  credentials: "credentials",
  webauthn: "passkeys",
}

/** What somebody has to know who adds a provider. */
function describe(entry: CatalogueEntry, service: string): object {
  const { console, discontinued, docs, exported, file, id, name, notes, scope, type } = entry
  return {
    id,
    name,
    kind: kinds[type] ?? type,
    import: `import { ${exported} } from "@latchkey/core/providers/${file}"`,
    ...(isRemote(entry) && { variables: neededVariables(entry), callback: `${service}/callback/${id}` }),
    ...(scope !== undefined && { scope }),
    ...(console !== undefined && { register: console }),
    ...(docs !== undefined && { documentation: docs }),
    ...(discontinued !== undefined && { ended: discontinued }),
    ...(notes.length > 0 && { notes }),
  }
}

function lines(described: object): string {
  return Object.entries(described)
    .map(([name, value]) => `${name.padEnd(14)} ${wrapped([value].flat().join(name === "notes" ? " " : ", "), 15)}\n`)
    .join("")
}

export const providers: Command = defineCommand({
  name: "providers",
  summary: "list providers, or say what one needs",
  details:
    "Lists the providers that come with the library; with an id, the variables, the callback address and the scopes of one.",
  args: [{ name: "id", text: "id of a provider, such as github" }],
  options: {
    service: {
      value: "URL",
      text: "where the service is, for the callback address (default: https://<your host>/auth)",
    },
    json: { text: "print JSON" },
  },
  exits: { fine: "done", failed: "not used" },
  async run({ options, words: [id] }, { terminal }) {
    if (id === undefined) {
      terminal.out(options.json ? `${JSON.stringify(knownIds, null, 2)}\n` : `${knownIds.join("\n")}\n`)
      return exitCodes.fine
    }
    const entry = await readProvider(id)
    const described = describe(entry, (options.service ?? "https://<your host>/auth").replace(/\/+$/, ""))
    const title = painter(terminal.colours.out)("strong", entry.name)
    terminal.out(options.json ? `${JSON.stringify(described, null, 2)}\n` : `${title}\n\n${lines(described)}`)
    return exitCodes.fine
  },
})
