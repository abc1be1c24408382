/**
 * A matrix over real connections: Express 4 and 5, every way to mount, body parsers before, after and absent, the
 * sources as well as what was built for `import` and `require`, with and without a proxy that ends TLS.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Credentials } from "@latchkey/core/providers/credentials"
import { createProvider, type TestProvider } from "@latchkey/testing"
import express5 from "express"
import express4 from "express4"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { casesOfMatrix } from "../../../tools/matrix/pairwise.js"
import * as latchkey from "../src/index.js"
import { type Cell, createMatrix, mountStyles, parserPlaces } from "./consumers/application.mjs"
import { type Front, frontOf, serveDirectly, startTlsProxy } from "./support/proxy.js"
import { Visitor } from "./support/visitor.js"

const host = "app.test"
const modules = ["source", "import", "require"] as const
type Module = (typeof modules)[number]

const baseOf = (style: string): string => mountStyles.find(({ name }) => name === style)?.base ?? "/auth"

let op: TestProvider
const fronts = new Map<Module, { readonly direct: Front; readonly proxied: Front }>()

beforeAll(async () => {
  const bases = new Set(mountStyles.map(({ base }) => base))
  op = await createProvider({
    redirectUris: [...bases].flatMap((base) => [
      `http://${host}${base}/callback/op`,
      `https://${host}${base}/callback/op`,
    ]),
  })
  for (const module of modules) {
    const direct = await serve(module)
    fronts.set(module, { direct, proxied: await startTlsProxy(host, direct.port) })
  }
}, 60_000)

afterAll(async () => {
  for (const { direct, proxied } of fronts.values()) {
    direct.close()
    proxied.close()
  }
  await op?.close()
})

async function serve(module: Module): Promise<Front> {
  const { issuer, clientId, clientSecret } = op
  const client = { issuer, clientId, clientSecret }
  if (module === "source") return serveDirectly(createMatrix({ express4, express5, latchkey, Credentials }, client))
  const built = fileURLToPath(new URL("../dist/providers/credentials.js", import.meta.url))
  if (!existsSync(built)) throw new Error(`${built} is missing. Run: npm run build`)
  const file = module === "import" ? "consumer.mjs" : "consumer.cjs"
  const child = fork(fileURLToPath(new URL(`consumers/${file}`, import.meta.url)), { execArgv: [] })
  child.send(client)
  const [{ port }] = (await once(child, "message")) as [{ port: number }]
  return frontOf(port, () => child.kill())
}

function visit(module: Module, cell: Cell): Visitor {
  const front = fronts.get(module)?.[cell.isProxied ? "proxied" : "direct"]
  if (!front) throw new Error(`nothing serves ${module}`)
  return new Visitor({ front, host, headers: { "x-cell": JSON.stringify(cell) } })
}

const cells: readonly Cell[] = mountStyles.flatMap(({ name: style, majors }) =>
  majors.flatMap((major) =>
    parserPlaces.flatMap((parser) => [true, false].map((isProxied) => ({ major, style, parser, isProxied }))),
  ),
)

const titleOf = ({ major, style, parser, isProxied }: Cell): string =>
  `Express ${major}, ${style}, parser ${parser}, ${isProxied ? "behind TLS" : "directly"}`

interface SessionResponse {
  readonly user?: { readonly name?: string }
}

/** Signs in with a form, reads the session in three ways, and signs out with JSON: both kinds of body pass the parser. */
async function signInAndOut(visitor: Visitor, base: string): Promise<void> {
  const { csrfToken } = await visitor.json<{ csrfToken: string }>(`${base}/csrf`)
  const entered = await visitor.ask(`${base}/callback/credentials`, {
    form: { csrfToken, name: "Ada & Co", password: "right", callbackUrl: "/welcome?a=1" },
  })
  expect([entered.status, entered.headers.location]).toEqual([302, `${visitor.origin}/welcome?a=1`])
  const isSecure = visitor.origin.startsWith("https")
  expect([...visitor.cookies.keys()]).toContain(`${isSecure ? "__Secure-" : ""}authjs.session-token`)

  const read = await visitor.ask("/read")
  expect((JSON.parse(read.text) as SessionResponse).user?.name).toBe("Ada & Co")
  // Express keeps the response beside the request: both forms save what the session became.
  expect(read.cookies).toEqual([expect.stringContaining("authjs.session-token=")])
  const extended = await visitor.ask("/extended")
  expect(extended.cookies).toEqual([expect.stringContaining("authjs.session-token=")])
  expect((await visitor.json<SessionResponse>(`${base}/session`)).user?.name).toBe("Ada & Co")
  expect((await visitor.ask("/inside")).status).toBe(200)

  const { csrfToken: renewed } = await visitor.json<{ csrfToken: string }>(`${base}/csrf`)
  const left = await visitor.ask(`${base}/signout`, {
    json: { csrfToken: renewed, callbackUrl: "/bye" },
    headers: { "x-auth-return-redirect": "1" },
  })
  expect([left.status, JSON.parse(left.text)]).toEqual([200, { url: `${visitor.origin}/bye` }])
  expect(await visitor.json(`${base}/session`)).toBeNull()
  const refused = await visitor.ask("/inside?b=2")
  expect(refused.headers.location).toBe(`${base}/signin?error=SessionRequired&callbackUrl=%2Finside%3Fb%3D2`)
}

const matrix = casesOfMatrix(
  modules.flatMap((module) => cells.map((cell) => ({ module, ...cell }))),
  (values) => values,
)

describe("the matrix [users 10] [wire 18.5 52, 53]", { tags: ["threat:PA-18", "threat:CT-13"] }, () => {
  it.each(matrix.map(({ module, ...cell }) => [titleOf(cell), module, cell] as const))(
    "%s, %s",
    async (_, module, cell) => {
      const visitor = visit(module, cell)
      await signInAndOut(visitor, baseOf(cell.style))
      expect(await visitor.ask(`${baseOf(cell.style)}/elsewhere`)).toMatchObject({
        status: 404,
        text: "of the application",
      })
    },
  )
})

/** With the certified provider: every mount on the sources, one on what was built. */
const certified = modules.flatMap((module) =>
  cells
    .filter(({ parser, style }) => parser === "none" && (module === "source" || style === mountStyles[0]?.name))
    .map((cell) => [`${titleOf(cell)}, ${module}`, module, cell] as const),
)

describe("the certified provider", () => {
  it.each(certified)("signs in: %s [users 3]", async (_, module, cell) => {
    const visitor = visit(module, cell)
    const base = baseOf(cell.style)
    const { csrfToken } = await visitor.json<{ csrfToken: string }>(`${base}/csrf`)
    const leaving = await visitor.ask(`${base}/signin/op`, { form: { csrfToken, callbackUrl: "/welcome" } })
    const address = leaving.headers.location ?? ""
    expect(new URL(address).searchParams.get("redirect_uri")).toBe(`${visitor.origin}${base}/callback/op`)
    const back = new URL(await op.authorize(address))
    expect(back.origin).toBe(visitor.origin)
    const entered = await visitor.ask(back.pathname + back.search)
    expect([entered.status, entered.headers.location]).toEqual([302, `${visitor.origin}/welcome`])
    expect((await visitor.json<SessionResponse>(`${base}/session`)).user?.name).toBe("Ada Lovelace")
    const { csrfToken: renewed } = await visitor.json<{ csrfToken: string }>(`${base}/csrf`)
    await visitor.ask(`${base}/signout`, { form: { csrfToken: renewed } })
    expect(await visitor.json(`${base}/session`)).toBeNull()
  })
})
