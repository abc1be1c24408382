/** What anybody may read says no more than it has to, and costs no call to anybody; no letter case depends on where the server stands. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { makeWorld } from "../support/world.js"

it("the list of providers names what a page shows, asks nobody, and holds nothing of the configuration", {
  tags: ["threat:TL-11", "threat:AL-25"],
}, async () => {
  const world = await makeWorld()
  world.op.faults.discovery = () => new Promise(() => {})
  const visit = await world.browser().get("/auth/providers")
  const listed = JSON.parse(visit.text) as Record<string, Record<string, unknown>>
  expect(Object.keys(listed)).toEqual(["op", "mail"])
  expect(Object.keys(listed["op"] ?? {}).toSorted()).toEqual(["callbackUrl", "id", "name", "signinUrl", "type"])
  for (const secret of [world.op.clientId, world.op.clientSecret, world.op.issuer]) {
    expect(visit.text).not.toContain(`"${secret}`)
  }
  expect(world.op.calls).toEqual([])
})

it("letters change their case by no language, and no clock is read by a zone: Turkish servers know the same people", {
  tags: ["threat:FP-25"],
}, () => {
  const folder = fileURLToPath(new URL("../../..", import.meta.url))
  const files = readdirSync(folder).flatMap((name) => {
    const sources = join(name, "src")
    if (!existsSync(join(folder, sources))) return []
    return readdirSync(join(folder, sources), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:ts|tsx|js|svelte)$/.test(file) && !file.includes(".test."))
      .map((file) => join(sources, file))
  })
  expect(new Set(files.map((file) => file.split(sep)[0])).size).toBeGreaterThan(9)
  expect(files.length).toBeGreaterThan(100)
  const dependent = files.filter((file) =>
    /\.(?:toLocale(?:Lower|Upper)Case|get(?:Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset))\(/.test(
      readFileSync(join(folder, file), "utf8"),
    ),
  )
  expect(dependent).toEqual([])
})
