/** Checks settings of the server that would lose sessions. */
import type { Desk } from "./desk.js"
import { run, tellAbout } from "./scripts.js"

/** The lines of INFO as names and values. */
function readInfo(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(/\r?\n/).map((line) => line.split(":"))
  return new Map(
    pairs
      .filter(([name, value]) => name && value !== undefined)
      .map(([name, ...rest]) => [name as string, rest.join(":")]),
  )
}

function isOlderThan(version: string, [major, minor]: readonly [number, number]): boolean {
  const [own = 0, part = 0] = version.split(".").map(Number)
  return own < major || (own === major && part < minor)
}

/** The problems that the reply to INFO shows. */
export function problemsOf(info: ReadonlyMap<string, string>): string[] {
  const findings: string[] = []
  const policy = info.get("maxmemory_policy") ?? "noeviction"
  if (policy !== "noeviction") {
    findings.push(
      `maxmemory-policy is "${policy}": when memory runs out, Redis evicts sessions, and lists that are needed to end them. Set it to "noeviction".`,
    )
  }
  if ((info.get("role") ?? "master") !== "master")
    findings.push("This server is a replica: it accepts no writes. Connect to the primary.")
  if (info.get("aof_enabled") === "0") {
    findings.push(
      "The append-only file is off: when Redis ends, what was written since the last snapshot is lost. Sessions that were ended and links that were used since then are valid again, and new users are gone. Switch it on (CONFIG SET, or the configuration of the server).",
    )
  }
  const version = info.get("redis_version")
  if (version !== undefined && isOlderThan(version, [6, 2])) {
    findings.push(`Redis ${version} is too old: 6.2 or later is needed.`)
  }
  return findings
}

/** What has to be fixed; empty when all is well. Of a cluster, the node that holds the people is asked. */
export async function checkServer({ connection, keys }: Desk): Promise<string[]> {
  return problemsOf(readInfo(String(await run(connection, tellAbout, { keys: [keys.user("")] }))))
}
