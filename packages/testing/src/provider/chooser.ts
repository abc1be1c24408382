/** The choice of who signs in, on a page, as anybody. */
import type { IncomingMessage } from "node:http"
import type { ProviderPages } from "./pages.js"
import type { Person } from "./people.js"

/** What a login page came to: a page to show; else who signs in, and nobody where "cancel" was pressed. */
export interface Choice {
  readonly page?: string
  readonly person?: Person | undefined
}

/** What is chosen from. */
export interface Chooser {
  readonly people: readonly Person[]
  readonly pages: ProviderPages
  /** Takes a person whose address was typed. */
  add(person: Person): void
}

const fieldsAtMost = 8192

/** Asks who signs in; an address that is typed becomes a person. */
export function choiceOf({
  people,
  pages,
  add,
}: Chooser): (params: Readonly<Record<string, unknown>>, request: IncomingMessage) => Promise<Choice> {
  return async ({ redirect_uri: back }, request) => {
    const host = URL.canParse(String(back)) ? new URL(String(back)).host : "the application"
    const page = (): Choice => ({ page: pages.choose({ host, people }) })
    if (request.method !== "POST") return page()
    const fields = new URLSearchParams(await textOf(request))
    const known = people.find(({ sub }) => sub === fields.get("person"))
    if (known || fields.get("person") === "cancel") return { person: known }
    const email = fields.get("email")?.trim().toLowerCase()
    if (!email) return page()
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
