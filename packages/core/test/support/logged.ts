/** What a world logged, searched for what must never be in a log. */
import { inspect } from "node:util"
import type { TestBrowser } from "./browser.js"
import { type World, worldSecret } from "./world.js"

/** Everything that was logged, as text: errors with stacks and causes, warnings, debug messages. */
export function logText({ errors, warnings, debugs }: World): string {
  return inspect({ errors, warnings, debugs }, { depth: null, maxStringLength: null, maxArrayLength: null })
}

/** The secrets of a world that its log holds: empty when all is well. */
export function leaks(world: World, browsers: readonly TestBrowser[], more: Iterable<string> = []): string[] {
  const text = logText(world)
  const { op, mails } = world
  const sent = op.calls.flatMap(({ body }) => [body.get("code"), body.get("code_verifier")])
  const cookies = browsers.flatMap(({ jar }) =>
    [...jar].filter(([name]) => !name.endsWith("callback-url")).map(([, { value }]) => value),
  )
  const secrets = [
    worldSecret,
    op.clientSecret,
    ...mails.flatMap(({ token, url }) => [token, url]),
    ...sent,
    ...cookies,
  ]
  return [...secrets, ...more].filter(
    (secret): secret is string => !!secret && secret.length >= 8 && text.includes(secret),
  )
}
