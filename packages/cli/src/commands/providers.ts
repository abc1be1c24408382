/** `latchkey providers`: which providers there are, and what one of them needs. */
import { type CatalogueEntry, isRemote, knownIds, neededVariables, readProvider } from "../catalogue.js"
import { type Command, defineCommand, exitCodes } from "../command.js"
import { type Framework, localOrigin, mountOf, type Project, projectAround } from "../project.js"
import { painter, wrapped } from "../style.js"

const kinds: Readonly<Record<string, string>> = {
  oauth: "OAuth 2",
  oidc: "OpenID Connect",
  email: "e-mail",
  credentials: "credentials",
  webauthn: "passkeys",
}

/** Where the description is for: addresses of the service without a slash at the end, and the package that brings providers. */
interface Place {
  readonly service: string
  /** On the developer's own machine; absent where that is not known. */
  readonly local?: string
  readonly scope: string
}

/** What the project around says: its framework has a base path, a port in development and a package that brings the providers. */
function placeOf(named: string | undefined, project: Project | undefined): Place {
  const [framework] = project?.frameworks ?? []
  const scope = framework !== undefined && isInstalled(framework, project) ? `@latchkey/${framework}` : "@latchkey/core"
  if (named !== undefined) return { service: named.replace(/\/+$/, ""), scope }
  if (framework === undefined) return { service: "https://<your host>/auth", scope }
  const path = mountOf[framework]
  return { service: `https://<your host>${path}`, local: `${localOrigin[framework]}${path}`, scope }
}

const isInstalled = (framework: Framework, project: Project | undefined): boolean =>
  `@latchkey/${framework}` in (project?.manifest.dependencies ?? {})

/** What somebody has to know who adds a provider. */
function describe(entry: CatalogueEntry, place: Place): object {
  const { console, discontinued, docs, exported, file, id, name, notes, scope, type } = entry
  const { service, local } = place
  return {
    id,
    name,
    kind: kinds[type] ?? type,
    import: `import { ${exported} } from "${place.scope}/providers/${file}"`,
    ...(isRemote(entry) && {
      variables: neededVariables(entry),
      callback: `${service}/callback/${id}`,
      ...(local !== undefined && { development: `${local}/callback/${id}` }),
    }),
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
    "Lists the providers that come with the library; with an id, the import, the variables, the callback address and the scopes of one.",
  args: [{ name: "id", text: "id of a provider, such as github" }],
  options: {
    service: {
      value: "URL",
      text: "where the service is, for the callback address (default: https://<your host>/auth, in Next.js https://<your host>/api/auth)",
    },
    json: { text: "print JSON" },
  },
  exits: { fine: "done", failed: "not used" },
  async run({ options, words: [id] }, world) {
    const { terminal } = world
    if (id === undefined) {
      terminal.out(options.json ? `${JSON.stringify(knownIds, null, 2)}\n` : `${knownIds.join("\n")}\n`)
      return exitCodes.fine
    }
    const entry = await readProvider(id)
    const described = describe(entry, placeOf(options.service, projectAround(world)))
    const title = painter(terminal.colours.out)("strong", entry.name)
    terminal.out(options.json ? `${JSON.stringify(described, null, 2)}\n` : `${title}\n\n${lines(described)}`)
    return exitCodes.fine
  },
})
