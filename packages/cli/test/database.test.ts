/** Which database is shown, and what of its URL. */
import { describe, expect, it } from "vitest"
import { placeOf } from "../src/database.js"
import { databasesOf } from "../src/target.js"

describe("the place of a database", () => {
  it.each([
    ["postgres://me:hunter2@db.test:5432/app?sslmode=require&password=hunter2", "postgres://db.test:5432/app"],
    ["postgres://db.test/app", "postgres://db.test/app"],
    ["mongodb://me:hunter2@a.test:1,b.test:2/app?x=hunter2", "mongodb://a.test:1,b.test:2/app"],
    ["postgres://me:hunter2#x@db.test/app#hunter2", "postgres://db.test/app"],
    ["postgres://me:12/hunter2@db.test/app", "postgres://db.test/app"],
    ["postgres://me:p@12/hunter2@db.test/app", "postgres://db.test/app"],
    ["postgres://me:12?hunter2@db.test/app", "postgres://(not shown, because of an @ behind the host)"],
    ["postgres://db.test/app?user=hunter2@x", "postgres://(not shown, because of an @ behind the host)"],
    ["file:app.db?mode=ro", "file:app.db"],
    ["app.db", "app.db"],
    ["u:hunter2@db.test/app", "u:…@db.test/app"],
    ["./data:1@x/app.db", "./data:1@x/app.db"],
  ])("of %s is %s", (url, place) => {
    expect(placeOf(url)).toBe(place)
    expect(place).not.toContain("hunter2")
  })
})

describe("the databases of an environment", () => {
  it("are those that a variable names by its URL, or whose name says so", () => {
    const env = {
      HOMEPAGE: "https://app.test",
      npm_package_resolved: "file:latchkey-cli.tgz",
      LOCAL_DATABASE: "file:app.db",
      OWN: " mysql://u:hunter2@db.test/app ",
      UPSTASH_REDIS_REST_URL: "https://cache.test?token=hunter2",
      PGHOST: "pg.test",
      PGDATABASE: "app",
      PGPASSWORD: "hunter2",
    }
    expect(databasesOf(env)).toEqual([
      "LOCAL_DATABASE names file:app.db",
      "OWN names mysql://db.test/app",
      "PGHOST names pg.test, PGDATABASE app",
      "UPSTASH_REDIS_REST_URL names https://cache.test/",
    ])
  })
})
