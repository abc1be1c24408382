/** A browser at the page of a provider that asks who signs in. */

/** Goes to the page that an authorization request leads to, and posts its form. */
export async function choose(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ page: string; back: string; headers: Headers }> {
  const cookies = new Map<string, string>()
  const visit = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ")
    const answer = await fetch(address, { ...init, redirect: "manual", headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=")
      cookies.set(name, value)
    }
    const location = answer.headers.get("location")
    return location === null || new URL(location, address).origin !== new URL(address).origin
      ? answer
      : visit(new URL(location, address).href)
  }
  const shown = await visit(url)
  const page = await shown.text()
  const answer = await visit(shown.url, { method: "POST", body: new URLSearchParams(fields) })
  return { page, back: answer.headers.get("location") ?? "", headers: shown.headers }
}
