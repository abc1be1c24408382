/** `latchkey dev`: a person signs in to an application at the provider that it starts. */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import { createAuth } from "@latchkey/core"
import { parse } from "dotenv"
import { createTransport } from "nodemailer"
import { describe, expect, it } from "vitest"
import { openBrowser } from "../../core/test/support/browser.js"
import { choose } from "../../testing/test/support/chosen.js"
import { useProject } from "./support/project.js"

const project = useProject()

/** A port with a free one behind it, below those that the system gives to connections: one of these may be taken a moment later. */
async function freePort(): Promise<number> {
  const port = randomInt(10_000, 30_000)
  return (await isFree(port)) && (await isFree(port + 1)) ? port : freePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}

async function signIn(env: Record<string, string>, fields: Record<string, string>) {
  const auth = createAuth(
    { providers: [{ id: "dev", name: "Development", type: "oidc" }], trustHost: true },
    { env: { ...env, AUTH_SECRET: "a secret of the tests that is long enough" } },
  )
  const browser = openBrowser(auth.handle, { origin: "http://localhost:3000" })
  const begun = await browser.post("/auth/signin/dev")
  const { page, back } = await choose(begun.location ?? "", fields)
  const { pathname, search } = new URL(back)
  await browser.get(pathname + search)
  return { page, session: await browser.session() }
}

describe("latchkey dev", () => {
  it("prints JSON for scripts: where it is, and each mail", async () => {
    const port = await freePort()
    const { code, out } = await project.run(["dev", "--json", "--port", String(port)], {
      async meanwhile() {
        const transport = createTransport(`smtp://127.0.0.1:${port + 1}`)
        await transport.sendMail({ from: "app@app.test", to: "ada@app.test", subject: "Hello", text: "Come in" })
        transport.close()
      },
    })
    expect(code).toBe(0)
    const [started, mail] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(started).toMatchObject({
      id: "dev",
      issuer: `http://127.0.0.1:${port}`,
      mail: `smtp://127.0.0.1:${port + 1}`,
    })
    expect(started.variables.AUTH_DEV_ISSUER).toBe(started.issuer)
    expect(mail).toEqual({ mail: { to: "ada@app.test", subject: "Hello", text: expect.stringContaining("Come in") } })
  })

  it("lets a person sign in who is chosen on its page, or whose address is typed there", async () => {
    const port = await freePort()
    const { code, out, err } = await project.run(["dev", "--port", String(port), "--write", ".env.dev"], {
      async meanwhile() {
        const env = parse(project.read(".env.dev"))
        expect(env).toEqual({
          AUTH_DEV_ID: "latchkey-dev",
          AUTH_DEV_SECRET: expect.stringMatching(/^[\w-]{43}$/),
          AUTH_DEV_ISSUER: `http://127.0.0.1:${port}`,
        })
        const chosen = await signIn(env, { person: "grace" })
        expect(chosen.page).toContain("to go on to <strong>localhost:3000</strong>")
        expect(chosen.session).toMatchObject({ user: { name: "Grace Hopper" } })
        const typed = await signIn(env, { email: "Mary@App.test" })
        expect(typed.session).toMatchObject({ user: { name: "mary", email: "mary@app.test" } })
        expect((await signIn(env, { person: "cancel" })).session).toBeNull()
      },
    })
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(out).toContain("Wrote AUTH_DEV_ID, AUTH_DEV_SECRET, AUTH_DEV_ISSUER to .env.dev.")
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
  })

  it("says what to put into .env, and says nothing of it where it is there", async () => {
    const port = await freePort()
    const issuer = `http://127.0.0.1:${port}`
    const fresh = await project.run(["dev", "--port", String(port)])
    expect(fresh.out).toContain("Put into .env, or start with --write .env:")
    expect(fresh.out).toContain(`AUTH_DEV_ISSUER=${issuer}`)
    const env = { AUTH_DEV_ID: "mine", AUTH_DEV_SECRET: "known", AUTH_DEV_ISSUER: issuer }
    const again = await project.run(["dev"], { env })
    expect(again.out).toContain("The environment has all variables.")
    expect(again.out).not.toContain("known")
  })

  it("says which variables it did not write, and what counts more than the file", async () => {
    const port = await freePort()
    const issuer = `http://127.0.0.1:${port}`
    const run = (env: Record<string, string> = {}) =>
      project.run(["dev", "--port", String(port), "--write", ".env"], { env })
    const before = "AUTH_DEV_ID=mine\nAUTH_DEV_SECRET=known\nAUTH_DEV_ISSUER=http://127.0.0.1:4400\n"
    project.write(".env", before)
    const kept = await run()
    expect(kept.out).toContain(
      `  AUTH_DEV_ISSUER was not written, because .env has a line for it already: change that to ${issuer}.\n`,
    )
    expect(kept.out).not.toMatch(/Wrote|known/)
    expect(project.read(".env")).toBe(before)
    project.write(".env", "AUTH_DEV_ID=mine\nAUTH_DEV_SECRET=known\n")
    const overruled = await run({ AUTH_DEV_ISSUER: "http://127.0.0.1:4400" })
    expect(overruled.out).toContain(
      `Wrote AUTH_DEV_ISSUER to .env.\n  AUTH_DEV_ISSUER has another value in the environment of this process, which counts more: change it to ${issuer}.`,
    )
    expect((await run()).out).toContain("The environment has all variables.")
    const json = await project.run(["dev", "--port", String(port), "--write", ".env", "--json"])
    expect(JSON.parse(json.out).notes).toEqual(["The environment has all variables."])
    project.write(".env", before)
    const unwritten = await project.run(["dev", "--port", String(port)])
    expect(unwritten.out).toContain(`Put into .env, in place of other values:\n\n    AUTH_DEV_ISSUER=${issuer}\n`)
    project.write(".env", "")
  })

  it("prints no secret that it has not made, also as JSON", { tags: ["threat:A-012"] }, async () => {
    const port = await freePort()
    const env = { AUTH_GOOGLE_ID: "mine", AUTH_GOOGLE_SECRET: "hunter2" }
    const { out } = await project.run(["dev", "--id", "google", "--json", "--port", String(port)], { env })
    const issuer = `http://127.0.0.1:${port}`
    expect(JSON.parse(out).variables).toEqual({ AUTH_GOOGLE_ID: "mine", AUTH_GOOGLE_ISSUER: issuer })
    expect(out).not.toContain("hunter2")
  })

  it("stands in for a provider of the application", async () => {
    const port = await freePort()
    const { out } = await project.run(["dev", "--id", "microsoft-entra-id", "--port", String(port)])
    expect(out).toContain("AUTH_MICROSOFT_ENTRA_ID_ISSUER=")
  })

  it("prints the mails that arrive", async () => {
    const port = await freePort()
    const { out } = await project.run(["dev", "--port", String(port)], {
      async meanwhile() {
        const transport = createTransport(`smtp://127.0.0.1:${port + 1}`)
        const link = "http://localhost:3000/auth/callback/nodemailer?token=t"
        await transport.sendMail({ from: "app@app.test", to: "ada@app.test", subject: "Sign in", text: link })
      },
    })
    expect(out).toContain("Mail to ada@app.test: Sign in\nhttp://localhost:3000/auth/callback/nodemailer?token=t")
  })

  it("says that a port is taken", async () => {
    const port = await freePort()
    await project.run(["dev", "--port", String(port)], {
      async meanwhile() {
        const second = await project.run(["dev", "--port", String(port)])
        expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} or ${port + 1} is taken.`) })
      },
    })
  })

  it.each([
    [["dev", "--port", "many"], {}, "--port: expected a number from 1 to 65534", 2],
    [["dev"], { AUTH_DEV_ISSUER: "https://id.app.test" }, "expected http://127.0.0.1:<port>", 1],
    [["dev"], { AUTH_DEV_ISSUER: "https://u:hunter2@id.test" }, 'received "https://…@id.test"', 1],
  ])("refuses %j with %j", async (args, env, message, code) => {
    const outcome = await project.run(args, { env })
    expect(outcome).toMatchObject({ code, out: "" })
    expect(outcome.err).toContain(message)
  })
})
