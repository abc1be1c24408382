/** The page of a provider that is used by hand: choose who signs in, as anybody. */
import type { IncomingMessage } from "node:http"
import type { Person } from "./people.js"

/** What a login page came to: a page to show; else who signs in, and nobody where "cancel" was pressed. */
export interface Choice {
  readonly page?: string
  readonly person?: Person | undefined
}

const fieldsAtMost = 8192

/** Asks who signs in; an address that is typed becomes a person, handed to `add`. */
export function choiceOf(
  people: readonly Person[],
  add: (person: Person) => void,
): (params: Readonly<Record<string, unknown>>, request: IncomingMessage) => Promise<Choice> {
  return async ({ redirect_uri: back }, request) => {
    const host = URL.canParse(String(back)) ? new URL(String(back)).host : "the application"
    if (request.method !== "POST") return { page: pageOf(people, host) }
    const fields = new URLSearchParams(await textOf(request))
    const known = people.find(({ sub }) => sub === fields.get("person"))
    if (known || fields.get("person") === "cancel") return { person: known }
    const email = fields.get("email")?.trim().toLowerCase()
    if (!email) return { page: pageOf(people, host) }
    const person = { sub: email, name: email.split("@")[0] ?? email, email, email_verified: true }
    add(person)
    return { person }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).subarray(0, fieldsAtMost).toString()
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function pageOf(people: readonly Person[], host: string): string {
  const buttons = people.map(({ sub, name, email }) => {
    const label = `<strong>${escaped(name ?? sub)}</strong>${email === undefined ? "" : ` ${escaped(email)}`}`
    return `<button name="person" value="${escaped(sub)}">${label}</button>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Choose who signs in</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 22rem; margin: 4rem auto; padding: 0 1rem }
form { display: grid; gap: .75rem; margin-block: 1rem }
button, input { font: inherit; padding: .6rem .8rem; text-align: start }
label { display: grid; gap: .25rem }
</style>
</head>
<body>
<main>
<h1>Choose who signs in</h1>
<p>to go on to <strong>${escaped(host)}</strong>. This provider is for development: it asks for no password.</p>
<form method="post">
${buttons.join("\n")}
</form>
<form method="post">
<label>Somebody else <input name="email" type="email" required placeholder="name@example.com"></label>
<button>Sign in as this address</button>
</form>
<form method="post"><button name="person" value="cancel">Cancel</button></form>
</main>
</body>
</html>`
}
