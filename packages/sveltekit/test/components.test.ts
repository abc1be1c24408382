/** The components as a server draws them, from their sources. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createAuth, signInView } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/core/memory"
import { MicrosoftEntraID } from "@latchkey/core/providers/microsoft-entra-id"
import { Nodemailer } from "@latchkey/core/providers/nodemailer"
import { svelte } from "@sveltejs/vite-plugin-svelte"
import { type Component, createRawSnippet } from "svelte"
import { createServer, type ViteDevServer } from "vite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const cacheDir = mkdtempSync(join(tmpdir(), "latchkey-vite-"))
let server: ViteDevServer

beforeAll(async () => {
  server = await createServer({
    root,
    configFile: false,
    appType: "custom",
    cacheDir,
    logLevel: "error",
    plugins: [svelte({ configFile: false })],
    resolve: {
      alias: {
        "$app/paths": `${root}test/support/kit/paths.ts`,
        "$app/navigation": `${root}test/support/kit/paths.ts`,
      },
    },
    server: { middlewareMode: true, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    ssr: { optimizeDeps: { noDiscovery: true, include: [] } },
  })
})
afterAll(async () => {
  await server.close()
  rmSync(cacheDir, { recursive: true, force: true })
})

async function draw(name: "sign-in" | "sign-out", props: object, folder = ""): Promise<string> {
  // The library that draws has to be the one that the component was loaded with.
  const { render } = (await server.ssrLoadModule("svelte/server")) as typeof import("svelte/server")
  const module = await server.ssrLoadModule(`/src/components/${folder}${name}.svelte`)
  return render(module["default"] as Component<Record<string, unknown>>, { props: { ...props } }).body.replaceAll(
    /<!--.*?-->/g,
    "",
  )
}

const snippet = (html: string) => createRawSnippet(() => ({ render: () => html }))
const hidden = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${value}"/>`

describe.each(["", "runes/"])("the components in %j", (folder) => {
  it("post to the pages of the application, below its base path [spec sveltekit components] [spec sveltekit prerender-remedy]", async () => {
    expect(await draw("sign-in", {}, folder)).toContain('method="POST" action="/base/signin"')
    expect(await draw("sign-out", {}, folder)).toContain('method="POST" action="/base/signout"')
    expect(await draw("sign-in", { signInPage: "login" }, folder)).toContain('action="/base/login"')
    expect(await draw("sign-out", { signOutPage: "?/out" }, folder)).toContain('action="?/out"')
    // No anchor that a build would follow to a path that only the running service answers.
    for (const name of ["sign-in", "sign-out"] as const) expect(await draw(name, {}, folder)).not.toContain("<a")
  })

  it("carry provider, options and parameters", async () => {
    const html = await draw(
      "sign-in",
      {
        provider: "git",
        options: { redirectTo: "/in?a=1&b=2", redirect: false },
        authorizationParams: new URLSearchParams({ prompt: "login" }),
      },
      folder,
    )
    for (const field of [
      hidden("providerId", "git"),
      hidden("redirectTo", "/in?a=1&amp;b=2"),
      hidden("redirect", "false"),
      hidden("authorizationParams-prompt", "login"),
    ])
      expect(html).toContain(field)
    expect(await draw("sign-out", { options: { redirectTo: "/bye" } }, folder)).toContain(hidden("redirectTo", "/bye"))
  })

  it("take classes and attributes", async () => {
    const props = { className: "one", class: "two", id: "form", "data-x": "1" }
    for (const [name, own] of [
      ["sign-in", "signInButton"],
      ["sign-out", "signOutButton"],
    ] as const) {
      const html = await draw(name, props, folder)
      expect(html).toContain(`class="${own} one two"`)
      expect(html).toContain('id="form"')
      expect(html).toContain('data-x="1"')
    }
  })

  it("ask mail providers for an address, in a label of its own", async () => {
    expect(await draw("sign-in", { provider: "resend" }, folder)).toMatch(
      /<label>.*<input type="email" name="email".* required.*<\/label>/s,
    )
    expect(await draw("sign-in", { provider: "git" }, folder)).not.toContain("<label>")
  })

  it("say what their buttons do", async () => {
    expect(await draw("sign-in", { provider: "github" }, folder)).toContain("Sign in with Github</button>")
    expect(await draw("sign-out", {}, folder)).toContain("Sign out</button>")
  })

  it("say it in the language of the view, as the built-in page does", async () => {
    const auth = createAuth({
      secret: "a secret of at least thirty-two characters",
      language: "de",
      adapter: memoryAdapter(),
      providers: [MicrosoftEntraID(), Nodemailer({ server: "smtp://localhost", from: "a@app.test" })],
    })
    const { view } = await signInView(auth, { url: "https://app.test/signin", headers: new Headers() })
    const drawn = (provider: string) => draw("sign-in", { provider, view }, folder)
    expect(await drawn("microsoft-entra-id")).toContain("Mit Microsoft anmelden</button>")
    expect(await drawn("nodemailer")).toMatch(/<span>E-Mail-Adresse<\/span>[\s\S]*Link per E-Mail senden<\/button>/)
    // A provider that the view does not have is called as it is without one.
    expect(await drawn("github")).toContain("Sign in with Github</button>")
  })
})

it("the components with snippets draw them", async () => {
  const html = await draw(
    "sign-in",
    {
      credentials: snippet('<input name="user">'),
      email: snippet('<input name="mail">'),
      submitButton: snippet("<b>Go</b>"),
    },
    "runes/",
  )
  expect(html).toContain('<input name="user">')
  expect(html).toContain('<input name="mail">')
  expect(html).toMatch(/<button type="submit"><b>Go<\/b><\/button>/)
})

it("the components with slots fill them", async () => {
  const slot = (html: string) => (renderer: { push(html: string): void }) => renderer.push(html)
  const html = await draw("sign-in", {
    $$slots: {
      credentials: slot('<input name="user">'),
      email: slot('<input name="mail">'),
      submitButton: slot("<b>Go</b>"),
    },
  })
  expect(html).toContain('<input name="user">')
  expect(html).toContain('<input name="mail">')
  expect(html).toContain("<b>Go</b>")
})
