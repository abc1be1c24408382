/** A simulated browser that goes through the pages of the provider. */

/** A form that a page submits by itself. */
export interface PostedForm {
  /** Where the form is posted to. */
  readonly action: string
  /** Fields of the form. */
  readonly fields: URLSearchParams
}

/** Follows redirects inside the provider with cookies of its own, until one leads elsewhere or a page comes. */
export async function walk(issuer: string, url: string): Promise<{ location?: string; text: string }> {
  const cookies = new Map<string, string>()
  let next = url
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ")
    const response = await fetch(next, { redirect: "manual", headers: cookie ? { cookie } : {} })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    const text = await response.text()
    const location = response.headers.get("location")
    if (location === null) return { text }
    next = new URL(location, next).href
    if (new URL(next).origin !== issuer) return { location: next, text }
  }
  throw new Error("The provider sent the browser round in circles.")
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";")
  const name = pair.slice(0, pair.indexOf("="))
  const ended = attributes.some((attribute) => /^ expires=thu, 01 jan 1970/i.test(attribute))
  if (ended) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}

/** The form of a page that posts the answer (OAuth 2.0 Form Post Response Mode). */
export function formOf(page: string): PostedForm {
  const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1]
  if (action === undefined) throw new Error(`The provider showed no form: ${page.slice(0, 200)}`)
  const inputs = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return {
    action: unescaped(action),
    fields: new URLSearchParams(inputs.map(([, name = "", value = ""]) => [name, unescaped(value)])),
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
}
