/**
 * Draws every built-in page in Chromium, light and dark, wide and narrow, under the policy it is sent with; asks axe
 * about each and fails on a violation or on any warning of the browser. Pictures land in `.tmp/pages`.
 * Chromium is `CHROMIUM_PATH`, else Debian's `/usr/bin/chromium`. Works on the sources.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { chromium } from "playwright-core"
import { loadProviders } from "./catalogue.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = join(root, ".tmp/pages")
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** The page functions and the policy, bundled from the sources. */
async function sources() {
  const files = [
    "pages/signin",
    "pages/passkey-script",
    "pages/signout",
    "pages/error",
    "pages/verify-request",
    "pages/confirm",
    "http/policy",
    "std/html",
  ]
  const contents = files.map((file) => `export * from "./packages/core/src/${file}.ts"`).join("\n")
  const options = { bundle: true, write: false, format: "esm", platform: "node", logLevel: "error" }
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: root } })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`)
}

const at = (id, name, type, more) => ({
  id,
  name,
  type,
  signinUrl: `/auth/signin/${id}`,
  callbackUrl: `/auth/callback/${id}`,
  ...more,
})
const providers = [
  at("github", "GitHub", "oauth", { style: { brandColor: "#24292f" } }),
  at("google", "Google", "oidc", { style: { brandColor: "#1a73e8" } }),
  at("acme", "The Acme Corporation of Everywhere", "oidc"),
  at("email", "Email", "email"),
  at("credentials", "Password", "credentials", {
    fields: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
  }),
  at("passkey", "Passkey", "webauthn", {
    fields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } },
    optionsUrl: "/auth/webauthn-options/passkey",
  }),
]
/** With marks of every kind: dark, coloured, darkened, blackened, and an initial where there is none. */
const marked = await loadProviders(
  "apple github google discord facebook gitlab kakao huggingface spotify twitter microsoft-entra-id slack".split(" "),
)
const many = marked.map(({ id, provider }) => at(id, provider.name, provider.type, { style: provider.style }))
const urls = { homeUrl: "/", signinUrl: "/auth/signin" }
const form = { csrfToken: "token", returnTo: "/" }
const visitor = {
  name: "somebody.with.a.long.name@department.example.com",
  addsAccounts: true,
  signoutUrl: "/auth/signout",
  signinUrl: "/auth/signin",
}
const incident = "aB3dE5gH7jK9"

/** Every page in the states that look different. */
function views({ signinPage, signoutPage, signedOutPage, errorPage, verifyRequestPage, confirmPage, passkeyScript }) {
  const logo =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='160' height='40'%3E%3Crect width='160' height='40' rx='8' fill='teal'/%3E%3C/svg%3E"
  const signin = (theme, list, more) => signinPage({ theme, providers: list, passkeyScript, ...form, ...more })
  return {
    signin: signin({}, providers),
    "signin-error": signin({ brandColor: "#e8590c" }, providers.slice(0, 2), {
      error: "OAuthAccountNotLinked",
      incident,
    }),
    "signin-yellow": signin({ brandColor: "gold", logo }, providers.slice(2, 4), { error: "EmailSignin" }),
    "signin-dark": signin({ brandColor: "rebeccapurple", colorScheme: "dark" }, providers.slice(3, 5)),
    "signin-many": signin({}, many),
    "signin-empty": signin({}, []),
    "signin-cancelled": signin({}, providers.slice(0, 2), { isCancelled: true }),
    "signed-in": signin({}, providers, { visitor }),
    "signed-in-error": signin({}, providers.slice(0, 2), { visitor, error: "OAuthAccountNotLinked" }),
    "signed-in-nameless": signin({}, providers.slice(3, 4), { visitor: { ...visitor, name: undefined } }),
    signout: signoutPage({ theme: {}, signoutUrl: "/auth/signout", ...form }),
    "signout-named": signoutPage({ theme: {}, signoutUrl: "/auth/signout", name: visitor.name, ...form }),
    "signed-out": signedOutPage({ theme: {}, ...urls }),
    "error-configuration": errorPage({ theme: {}, error: "Configuration", incident, ...urls }),
    "error-access-denied": errorPage({ theme: {}, error: "AccessDenied", ...urls }),
    "error-verification": errorPage({ theme: { colorScheme: "light" }, error: "Verification", ...urls }),
    "error-not-found": errorPage({ theme: {}, error: "Configuration", status: 404, ...urls }),
    "error-unknown": errorPage({ theme: {}, ...urls }),
    "verify-request": verifyRequestPage({ theme: {}, homeUrl: "/" }),
    confirm: confirmPage({
      theme: {},
      email: "somebody.with.a.long.name@department.example.com",
      action: "/auth/callback/email",
    }),
  }
}

/** Serves the pages as the engine would. */
async function serve(core) {
  const surroundings = { incoming: { isSecure: false }, settings: { providers: new Map() } }
  const entries = Object.entries(views(core)).map(async ([name, parts]) => [`/${name}`, await parts])
  const pages = new Map(await Promise.all(entries))
  const server = createServer(({ url }, response) => {
    const parts = pages.get(url)
    if (!parts) return response.writeHead(404).end()
    const policy = core.contentSecurityPolicy(parts, surroundings)
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy })
    response.end(core.renderHtml(parts.html))
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, origin: `http://127.0.0.1:${server.address().port}`, names: [...pages.keys()] }
}

async function look(page, address, picture) {
  const complaints = []
  const listen = (message) => message.location().url.endsWith("favicon.ico") || complaints.push(message.text())
  page.on("console", listen)
  await page.goto(address)
  await page.screenshot({ path: picture, fullPage: true })
  const { violations } = await page.evaluate(`${axe};axe.run(document, { runOnly: ${JSON.stringify(rules)} })`)
  page.off("console", listen)
  return [
    ...complaints,
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target: where }) => where).join(", ")}`),
  ]
}

const switches = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: switches,
})
const { server, origin, names } = await serve(await sources())
const findings = []
mkdirSync(target, { recursive: true })
try {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [960, 360]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
      const page = await context.newPage()
      for (const name of names) {
        const title = `${name.slice(1)}-${colorScheme}-${width}`
        findings.push(
          ...(await look(page, origin + name, join(target, `${title}.png`))).map((finding) => `${title}: ${finding}`),
        )
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  server.close()
}
for (const finding of findings) process.stderr.write(`${finding}\n`)
process.stdout.write(`${names.length} pages drawn in ${target}, ${findings.length} findings\n`)
process.exitCode = findings.length > 0 ? 1 : 0
