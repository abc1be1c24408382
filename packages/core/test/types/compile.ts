/** Compiles a module of an application as strictly as this project does; what the compiler says and writes is the answer. */
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { expect } from "vitest"

export const root = fileURLToPath(new URL("../../../../", import.meta.url))
const config = ts.getParsedCommandLineOfConfigFile(
  `${root}tsconfig.types.json`,
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => expect.fail(String(messageText)),
  },
)

/** What came of a module. */
export interface Compiled {
  /** Its declarations. */
  readonly text: string
  readonly complaints: readonly string[]
  /** How often the compiler had to put types in place of type parameters, for this module and all it imports. */
  readonly instantiations: number
}

/** Compiles the text of a module, as if it stood at the path below the root. */
export function compile(source: string, place: string, given: ts.CompilerOptions = {}): Compiled {
  const file = `${root}${place}`
  const options = { ...config?.options, ...given, noEmit: false, declaration: true, emitDeclarationOnly: true }
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
  const complaints = all.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
  return { text, complaints, instantiations: program.getInstantiationCount() }
}
