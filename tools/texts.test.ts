/** The texts of the core against its sources. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { en } from "../packages/core/src/texts/en.js"

const source = fileURLToPath(new URL("../packages/core/src/", import.meta.url))
const isOther = (file: string): boolean =>
  file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("texts/")
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(isOther)
const text = files.map((file) => readFileSync(`${source}${file}`, "utf8")).join("\n")

/** Keys that are put together, such as `error.${name}`: everything that fits. */
const composed = [...text.matchAll(/text\(`([^`]+)`/g)].map(([, key = ""]) => {
  const parts = key.split(/\$\{[^}]+\}/).map((part) => part.replaceAll(".", "\\."))
  return new RegExp(`^${parts.join("\\w+")}$`)
})

it("every text is read by some source", () => {
  const unused = Object.keys(en).filter(
    (key) => !text.includes(`"${key}"`) && !composed.some((pattern) => pattern.test(key)),
  )
  expect(unused).toEqual([])
})
