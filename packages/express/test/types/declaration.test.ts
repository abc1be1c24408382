/** The types of Express are opened for those who ask for it alone, and what was opened survives in written declarations. */
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const config = ts.getParsedCommandLineOfConfigFile(
  `${root}tsconfig.types.json`,
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => expect.fail(String(messageText)),
  },
)

/** Compiles a module of an application as strictly as this project; gives its declarations and all complaints. */
function declare(source: string): { text: string; complaints: string[] } {
  const file = `${root}packages/express/test/types/application.ts`
  const door = `${root}packages/express/src`
  const paths = {
    ...config?.options.paths,
    "@latchkey/express/augment": [`${door}/augment.ts`],
    "@latchkey/express/augment-request": [`${door}/augment-request.ts`],
  }
  const options = { ...config?.options, paths, noEmit: false, declaration: true, emitDeclarationOnly: true }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? source : readFile(name))
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, source, target) : getSourceFile(name, target)
  const program = ts.createProgram([file], options, host)
  const entry = program.getSourceFile(file)
  let text = ""
  const { diagnostics } = program.emit(entry, (_, written) => {
    text += written
  })
  const all = [...diagnostics, ...program.getSemanticDiagnostics(entry), ...program.getDeclarationDiagnostics(entry)]
  return { text, complaints: all.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")) }
}

const handlers = `
  import type { Session } from "@latchkey/express"
  import type { Request, Response } from "express"
  export const nameOf = (res: Response) => res.locals.session?.user?.name
  export const personOf = (req: Request) => req.auth?.session
  export const session = (res: Response): Session | null | undefined => res.locals.session
`

describe("types of res.locals and req", { timeout: 60_000 }, () => {
  it("are there for those who import them, also in the declarations of their own", () => {
    const { text, complaints } = declare(
      `import "@latchkey/express/augment"\nimport "@latchkey/express/augment-request"\n${handlers}`,
    )
    expect(complaints).toEqual([])
    expect(text).toContain('import "@latchkey/express/augment"')
    expect(text).toMatch(/nameOf: \(res: Response\) => string \| null \| undefined/)
    expect(text).toMatch(/personOf: \(req: Request\) => .*Session \| null \| undefined/)
    expect(text).not.toMatch(/\bany\b/)
  })

  it("are not there for anybody else", () => {
    const { complaints } = declare(handlers)
    expect(complaints).toEqual([expect.stringContaining("'auth' does not exist")])
  })

  it("of the handlers can be written down", () => {
    const { text, complaints } = declare(`
      import { authSession, ExpressAuth, getSession, requireSession, signIn, signOut } from "@latchkey/express"
      import type { Request, Response } from "express"
      const config = { providers: [] }
      export const handler = ExpressAuth(config)
      export const guards = [authSession(config), requireSession({ status: 403 })]
      export const read = (req: Request) => getSession(req, config)
      export const enter = (req: Request, res: Response) => signIn(req, res, config, { redirect: false })
      export const leave = (req: Request, res: Response) => signOut(req, res, config)
    `)
    expect(complaints).toEqual([])
    expect(text).not.toMatch(/\bany\b.*(?:Session|SignResult)/)
  })
})
