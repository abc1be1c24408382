/**
 * Loads the sources of the area before any test. Many are loaded by the first request that needs them: StrykerJS would take
 * what they compute then for a part of the test that sent it, and try a change of a constant with that test alone.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

const sources: string[] = JSON.parse(process.env["STRYKER_AREA_SOURCES"] ?? "[]")
for (const path of sources) await import(pathToFileURL(resolve(path)).href)
