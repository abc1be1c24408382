/** The demo on each database, by one variable: somebody signs in with a password and is still signed in after a restart. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import mysql from "mysql2/promise"
import pg from "pg"
import { beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { openVisitor, type Service } from "../../../adapter-contract/src/visitor.js"
import { refusalOfDemo, startDemo } from "./support/demo.js"
import { temporaryFolder } from "./support/folder.js"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const folder = temporaryFolder()
const person = { email: "ada@demo.test", password: "analytical-engine-1843" }

beforeAll(() => {
  // The demo runs on what is published, like any application.
  execFileSync("npm", ["run", "build", "--silent"], { cwd: root, stdio: "inherit" })
}, 300_000)

/** The demo as a visitor sees it. */
function served(origin: string): Service {
  return {
    async handle(request) {
      const { pathname, search } = new URL(request.url)
      const body = request.method === "GET" ? {} : { body: await request.text() }
      const { method, headers } = request
      return fetch(origin + pathname + search, { method, headers, redirect: "manual", ...body })
    },
  }
}

let count = 0

function holds({ title, prepare }: { title: string; prepare: () => Promise<string | undefined> }): void {
  it("starts, signs a person in with a password, and keeps the user over a restart", async () => {
    count += 1
    const data = join(folder, String(count))
    const url = await prepare()
    const settings = { data, url, port: 3600 + count * 10 }
    const first = await startDemo(settings)
    const visitor = openVisitor(served(first.origin))
    try {
      expect(first.output()).toContain(`Opening ${title}`)
      await visitor.post("/auth/callback/credentials", { ...person, password: "wrong" })
      expect(await visitor.whoami()).toBeUndefined()
      await visitor.post("/auth/callback/credentials", person)
      expect(await visitor.whoami()).toBe(person.email)
      expect((await visitor.get("/account")).text).toContain("Your account")
    } finally {
      await first.stop()
    }
    const second = await startDemo(settings)
    try {
      visitor.moveTo(served(second.origin))
      expect(await visitor.whoami()).toBe(person.email)
      expect(second.output()).not.toContain("migrated")
    } finally {
      await second.stop()
    }
    const said = first.output() + first.errors() + second.output() + second.errors()
    if (url && URL.canParse(url) && new URL(url).password) expect(said).not.toContain(new URL(url).password)
  }, 180_000)
}

describe("with SQLite", () => {
  holds({ title: "SQLite", prepare: async () => undefined })
  holds({ title: "SQLite", prepare: async () => `file:${join(folder, "named.sqlite")}` })
  holds({ title: "SQLite", prepare: async () => join(folder, "path.sqlite") })
})

describeServer("postgresql", (url) =>
  holds({
    title: "PostgreSQL",
    async prepare() {
      const client = new pg.Client(url)
      await client.connect()
      await client.query("create database demo")
      await client.end()
      return Object.assign(new URL(url), { pathname: "demo" }).href
    },
  }),
)

describeServer("mariadb", (url) => {
  const prepare = (name: string, scheme: string) => async (): Promise<string> => {
    const connection = await mysql.createConnection(url)
    await connection.query(`create database ${name}`)
    await connection.end()
    return Object.assign(new URL(url), { pathname: name }).href.replace(/^mysql:/, scheme)
  }
  holds({ title: "MySQL", prepare: prepare("demo_mysql", "mysql:") })
  holds({ title: "MariaDB", prepare: prepare("demo_mariadb", "mariadb:") })
})

describeServer("redis", (url) => holds({ title: "Redis", prepare: async () => url }))

describe("the demo refuses to start, and says in one sentence what to do", () => {
  it.each([
    ["oracle://scott:tiger@db.test/x", /begins with "oracle:", which the demo does not know\. It can be/],
    ["postgres://app:p@ss/word@db.test/x", /begins with "postgres:" and is no address\. Characters like @ and \//],
    ["postgres://app:tiger@127.0.0.1:1/x", /^PostgreSQL \(127\.0\.0\.1:1\) cannot be used: .*ECONNREFUSED/m],
    ["mysql://app:tiger@127.0.0.1:1/x", /^MySQL \(127\.0\.0\.1:1\) cannot be used: .*ECONNREFUSED/m],
    ["redis://:tiger@127.0.0.1:1", /^Redis \(127\.0\.0\.1:1\) cannot be used: .*/m],
    ["/nowhere/at/all.sqlite", /^SQLite \(\/nowhere\/at\/all\.sqlite\) cannot be used: /m],
  ])("%s", async (url, expected) => {
    const { code, said } = await refusalOfDemo({ data: join(folder, "refused"), url, port: 3590 })
    expect(said).toMatch(expected)
    expect(said).not.toMatch(/tiger|ss\/word|^\s+at /m)
    expect(code).toBe(1)
  })
})
