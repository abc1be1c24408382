/** A simulated browser: follows redirects and posts forms, with cookies of its own for every host. */

/** A page. */
export interface Page {
  readonly url: string
  readonly text: string
}

type Visit = (url: string, fields?: URLSearchParams) => Promise<Page>

function createVisitor(): Visit {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string): Map<string, string> => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  const visit: Visit = async (url, fields) => {
    const jar = jarOf(url)
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ")
    const headers = { cookie, origin: new URL(url).origin }
    const answer = await fetch(url, { redirect: "manual", headers, ...(fields && { method: "POST", body: fields }) })
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", ...value] = (line.split(";")[0] ?? "").split("=")
      jar.set(name, value.join("="))
    }
    const location = answer.headers.get("location")
    return location === null ? { url, text: await answer.text() } : visit(new URL(location, url).href)
  }
  return visit
}

/** The form of a page that leads to a path: its address and its hidden fields. */
function formTo(page: Page, path: string): { url: string; fields: URLSearchParams } {
  const form = page.text.match(/<form[\s\S]*?<\/form>/g)?.find((text) => text.includes(path)) ?? ""
  const action = /action="([^"]+)"/.exec(form)?.[1]
  if (action === undefined)
    throw new Error(`Expected a form that leads to ${path}, received: ${page.text.slice(0, 500)}`)
  const inputs = [...form.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)]
  return {
    url: new URL(action, page.url).href,
    fields: new URLSearchParams(inputs.map(([, name = "", value = ""]) => [name, value])),
  }
}

/** Signs Ada in at the provider for development; answers the session. */
export async function signInAt(origin: string, basePath = "/auth"): Promise<{ session: unknown; visit: Visit }> {
  const visit = createVisitor()
  const { url, fields } = formTo(await visit(`${origin}${basePath}/signin`), "/signin/dev")
  const chooser = await visit(url, fields)
  await visit(chooser.url, new URLSearchParams({ person: "ada" }))
  return { session: JSON.parse((await visit(`${origin}${basePath}/session`)).text), visit }
}
