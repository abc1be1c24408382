/** The built-in pages of the sources, served as the engine would: with their policy, at one address for each state and theme. */
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { states, themes } from "./states.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const names = ["signin", "form-script", "passkey-script", "signal-script", "passkeys", "signout", "error", "email"]
const files = names.map((file) => `pages/${file}`)

/** The page functions and the policy, bundled from the sources. */
async function sources() {
  const contents = [...files, "http/policy", "std/html", "texts/wording", "texts/languages"]
    .map((file) => `export * from "./packages/core/src/${file}.ts"`)
    .join("\n")
  const outfile = `${root}.tmp/gallery/pages.mjs`
  const options = { bundle: true, outfile, format: "esm", platform: "node", packages: "external", logLevel: "error" }
  await build({ ...options, stdin: { contents, resolveDir: root } })
  return import(outfile)
}

/** A language of each kind: left to right, with long words, and right to left; those that there are. */
const wanted = ["en", "de", "ar"]

/** Serves every page at `/<language>/<state>/<theme>`; with `?pieces` its second half arrives later, as over a slow line. */
export async function serveGallery() {
  const core = await sources()
  const all = states(core)
  const languages = wanted.filter((language) => core.isLanguage(language))
  const surroundings = {
    incoming: { isSecure: false },
    settings: { providers: new Map(), language: { offered: languages } },
  }
  const pages = new Map()
  for (const lang of languages) {
    const wording = core.createWording({ lang, texts: await core.loadTexts(lang) })
    for (const { name, draw } of all)
      for (const [title, theme] of Object.entries(themes)) {
        const parts = await draw(theme, wording)
        const headers = core.policyHeaders({ kind: "page", status: 200, ...parts }, surroundings)
        pages.set(`/${lang}/${name}/${title}`, { text: core.renderHtml(parts.html), headers })
      }
  }
  // A language or state that is missing would leave its pages out without a word.
  if (languages.length < wanted.length) throw new Error(`The gallery has the languages ${languages}, not ${wanted}.`)
  const server = createServer(({ url }, response) => {
    const { pathname, search } = new URL(url, "http://localhost")
    const page = pages.get(pathname)
    if (!page) return response.writeHead(404).end()
    response.writeHead(200, page.headers)
    if (search !== "?pieces") return response.end(page.text)
    const half = page.text.indexOf("</h1>")
    response.write(page.text.slice(0, half))
    setTimeout(() => response.end(page.text.slice(half)), 300)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    states: all,
    themes: Object.keys(themes),
    languages,
    origin: `http://localhost:${server.address().port}`,
    /** Bytes of a page as it travels. */
    weight: ({ lang, name, theme }) => gzipSync(pages.get(`/${lang}/${name}/${theme}`).text).length,
    policy: ({ lang, name, theme }) => pages.get(`/${lang}/${name}/${theme}`).headers["Content-Security-Policy"],
    close: () => server.close(),
  }
}
