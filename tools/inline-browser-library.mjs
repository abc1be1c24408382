/**
 * Puts the WebAuthn library of the browser into `dist/client/library.js` of the core, over what the compiler has written
 * there. Applications need not install that library, and a bundler finds nothing to look for.
 */
import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const core = fileURLToPath(new URL("../packages/core/", import.meta.url))
const target = `${core}dist/client/library.js`

await build({
  entryPoints: [`${core}src/client/library.ts`],
  outfile: target,
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  drop: ["console"],
  banner: { js: "/*! Contains @simplewebauthn/browser, (c) 2020 Matthew Miller, MIT License */" },
  logLevel: "warning",
})
// It describes what the compiler had written.
await rm(`${target}.map`, { force: true })
