/** The browser and system of a request in words. Only names of a closed list: what a stranger sends never stands in a mail. */
import type { Wording } from "../../texts/wording.js"

type Names = readonly (readonly [name: string, pattern: RegExp])[]

// The more special first: most browsers name the ones they descend from as well.
const browsers: Names = [
  ["Microsoft Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /\bVersion\/[\d.]+ .*Safari\//],
]
const systems: Names = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows NT\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
]

/** Longer ones are not read. */
const longest = 512

/** "Firefox on Windows", or what of it is known; `undefined` when nothing is. */
export function deviceOf(userAgent: string | null | undefined, wording: Wording): string | undefined {
  if (!userAgent || userAgent.length > longest) return undefined
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  return browser && system ? wording.text("device.both", { browser, system }) : (browser ?? system)
}

function nameIn(names: Names, userAgent: string): string | undefined {
  return names.find(([, pattern]) => pattern.test(userAgent))?.[0]
}
