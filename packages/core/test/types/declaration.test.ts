/** What an application exports keeps its types when the compiler writes its declarations. */
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
  const file = `${root}packages/core/test/types/application.ts`
  const options = { ...config?.options, noEmit: false, declaration: true, emitDeclarationOnly: true }
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

describe("declarations", () => {
  it("of what an application exports can be written, and say what was inferred", { timeout: 60_000 }, () => {
    const { text, complaints } = declare(`
      import { Auth, createAuth } from "@latchkey/core"
      import { createClient } from "@latchkey/core/client"
      import { CredentialsSignin } from "@latchkey/core/errors"
      import { getToken } from "@latchkey/core/jwt"
      import { memoryAdapter } from "@latchkey/core/memory"
      import { Credentials } from "@latchkey/core/providers/credentials"
      import { GitHub } from "@latchkey/core/providers/github"
      import { Passkey } from "@latchkey/core/providers/passkey"

      export const github = GitHub({ clientId: "a", profile: (profile) => ({ id: String(profile.id) }) })
      export const pin = Credentials({ credentials: { pin: { label: "PIN" } }, authorize: () => null })
      export const passkey = Passkey()
      export const adapter = memoryAdapter()
      export const auth = createAuth({ providers: [github, pin, passkey], adapter })
      export const { handle, session } = auth
      export const client = createClient({ basePath: "/api/auth" })
      export const read = (request: Request) => auth.session(request)
      export const answer = (request: Request) => Auth(request, { providers: [github] })
      export const claims = (req: Request) => getToken({ req, secret: "s" })
      export const raw = (req: Request) => getToken({ req, raw: true })
      export class Locked extends CredentialsSignin { override code = "locked" }
    `)
    expect(complaints).toEqual([])
    const lines = text.split("\n")
    for (const [name, type] of [
      ["github", "OAuth2Config<.*GitHubProfile>"],
      ["pin", "CredentialsConfig<{"],
      ["passkey", "WebAuthnConfig"],
      ["adapter", "Required<.*Adapter>"],
      ["auth", "Auth<"],
      ["client", "AuthClient"],
      ["read", "=> Promise<.*SessionAnswer<.*Session>>"],
      ["answer", "=> Promise<Response>"],
      ["claims", "=> Promise<.*JWT \\| null>"],
      ["raw", "=> Promise<string \\| null>"],
    ] as const) {
      const line = lines.find((one) => one.startsWith(`export declare const ${name}:`))
      expect(line, name).toMatch(new RegExp(type))
    }
    expect(text).not.toMatch(/\bany\b/)
  })
})
