/** Finds Chromium, or installs Debian's where that is possible, and opens it. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
]
const isRoot = process.getuid?.() === 0

/** Path of the browser's program. `CHROMIUM` names another one. Throws when there is none. */
export function findChromium(): string {
  const named = process.env["CHROMIUM"]
  if (named) return named
  const found = places.find(existsSync)
  if (found) return found
  if (isRoot && existsSync("/usr/bin/apt-get")) install()
  const installed = places.find(existsSync)
  if (installed) return installed
  throw new Error("The browser journeys need Chromium: sudo apt-get install chromium (or set CHROMIUM to its path).")
}

function install(): void {
  console.log("Chromium is missing. Installing it: apt-get install chromium")
  const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const
  execFileSync("apt-get", ["update", "-qq"], options)
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], options)
}

/** Opens the browser. As root it has no sandbox of its own to go into. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...(isRoot ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"],
  })
}
