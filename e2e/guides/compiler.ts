/** What the compiler says of code that pages show. */
import { relative } from "node:path"
import ts from "typescript"

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  noUnusedLocals: true,
  allowJs: true,
  checkJs: false,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.ReactJSX,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: ["node"],
}

/** Declarations of libraries and packages are read once for all programs. */
const declarations = new Map<string, ts.SourceFile | undefined>()

function hostOf(settings: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(settings)
  const read = host.getSourceFile
  host.getSourceFile = (file, ...rest) => {
    if (!file.includes("/node_modules/") && !file.includes("/dist/")) return read(file, ...rest)
    if (!declarations.has(file)) declarations.set(file, read(file, ...rest))
    return declarations.get(file)
  }
  return host
}

/** Mistakes in files of one project, one line each; the paths are those below the workshop. */
export function mistakesOf(
  files: readonly string[],
  { workshop, more = {} }: { workshop: string; more?: ts.CompilerOptions },
): string[] {
  const settings = { ...options, ...more }
  const program = ts.createProgram(files, settings, hostOf(settings))
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${relative(workshop, file?.fileName ?? "")}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`
  })
}
