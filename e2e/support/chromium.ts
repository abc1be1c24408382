/** Finds Chromium, or installs Debian's where that is possible, and opens it. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
  if (isRoot && existsSync("/usr/bin/apt-get")) install()
  const found = places.find(existsSync)
  if (found) return found
  throw new Error("The browser journeys need Chromium: sudo apt-get install chromium (or set CHROMIUM to its path).")
}

/**
 * Where it is missing. Two runs of tests may begin at once: the second waits for the first, also where the program is there already
 * and its libraries are not.
 */
function install(): void {
  const isThere = places.map((place) => `[ -e ${place} ]`).join(" || ")
  // Another program may be installing something else.
  const wait = "-o DPkg::Lock::Timeout=300"
  const script = `if ${isThere}; then exit 0; fi
echo "Chromium is missing. Installing it: apt-get install chromium"
apt-get ${wait} update -qq && apt-get ${wait} install -y -qq --no-install-recommends chromium`
  const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const
  execFileSync("flock", [join(tmpdir(), "latchkey-chromium.lock"), "sh", "-c", script], options)
}

/** Opens the browser. As root it has no sandbox of its own to go into. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [...(isRoot ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"],
  })
}
