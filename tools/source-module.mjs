/** The modules of the sources, as the tools read them: bundled in memory, so that no build has to come before. */
import { build } from "esbuild"

/**
 * Imports a TypeScript module with all it imports.
 *
 * @param {string | { contents: string, resolveDir: string }} source the path of a file, or the text of a module
 * @param {readonly string[]} [external] packages that are left out
 */
export async function importSource(source, external = []) {
  const { outputFiles } = await build({
    ...(typeof source === "string" ? { entryPoints: [source] } : { stdin: { ...source, loader: "ts" } }),
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    external: [...external],
    logLevel: "error",
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`)
}
