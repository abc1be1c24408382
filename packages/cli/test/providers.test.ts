/** `latchkey providers`. */
import { providerIds } from "@latchkey/core/providers/ids"
import { describe, expect, it } from "vitest"
import { runIn, useProject } from "./support/project.js"

const project = useProject()
const run = (...args: string[]) => runIn("/", ["providers", ...args])

describe("latchkey providers", () => {
  it("lists every id", async () => {
    const { code, out } = await run()
    expect(code).toBe(0)
    expect(out.trim().split("\n")).toEqual([...providerIds])
    expect(JSON.parse((await run("--json")).out)).toEqual([...providerIds])
  })

  it("says what one needs", async () => {
    const { out } = await run("github", "--service", "https://app.test/auth/")
    expect(out).toBe(`GitHub

id             github
name           GitHub
kind           OAuth 2
import         import { GitHub } from "@latchkey/core/providers/github"
variables      AUTH_GITHUB_ID, AUTH_GITHUB_SECRET
callback       https://app.test/auth/callback/github
scope          read:user user:email
register       https://github.com/settings/developers
documentation  https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
notes          A GitHub App needs the read permission for e-mail addresses, otherwise the profile of
               a person without a public address has none. A public address counts as unverified at
               an Enterprise Server whose list of addresses cannot be read, because a server need
               not verify addresses. The scope \`user:email\` lets the list be read; a GitHub App
               without the permission for it keeps the address as unstated.
`)
    expect(JSON.parse((await run("keycloak", "--json")).out)).toMatchObject({
      variables: ["AUTH_KEYCLOAK_ID", "AUTH_KEYCLOAK_SECRET", "AUTH_KEYCLOAK_ISSUER"],
      callback: "https://<your host>/auth/callback/keycloak",
      scope: "openid profile email",
    })
  })

  it.each([
    ["next", "next", "http://localhost:3000", "/api/auth"],
    ["sveltekit", "@sveltejs/kit", "http://localhost:5173", "/auth"],
    ["express", "express", "http://localhost:3000", "/auth"],
    ["hono", "hono", "http://localhost:3000", "/auth"],
  ])("says in an application of %s where it is called back, and what is imported", async (own, name, origin, path) => {
    const { write, run: type } = project
    write("package.json", JSON.stringify({ dependencies: { [name]: "*", [`@latchkey/${own}`]: "*" } }))
    expect(JSON.parse((await type(["providers", "github", "--json"])).out)).toMatchObject({
      import: `import { GitHub } from "@latchkey/${own}/providers/github"`,
      callback: `https://<your host>${path}/callback/github`,
      development: `${origin}${path}/callback/github`,
    })
    const named = await type(["providers", "github", "--service", "https://app.test/in", "--json"])
    expect(JSON.parse(named.out)).toMatchObject({ callback: "https://app.test/in/callback/github" })
    expect(JSON.parse(named.out)).not.toHaveProperty("development")
    write("package.json", JSON.stringify({ dependencies: { [name]: "*" } }))
    expect(JSON.parse((await type(["providers", "github", "--json"])).out)).toMatchObject({
      import: 'import { GitHub } from "@latchkey/core/providers/github"',
    })
  })

  it.each([...providerIds])("describes %s with its kind and its import", async (id) => {
    const { code, out } = await run(id, "--json")
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      kind: expect.stringMatching(/^(?:OAuth 2|OpenID Connect|e-mail|credentials|passkeys)$/),
      import: expect.stringMatching(/^import \{ [A-Z]\w+ \} from /),
    })
  })

  it("names the nearest id for one that is misspelt", async () => {
    expect(await run("gogle")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining('There is no provider "gogle". Did you mean "google"?'),
    })
  })
})
