/** The pages of the application, those left out that would send people round in circles. */
import type { PagesOptions } from "../types/appearance.js"
import { membersOf } from "./members.js"
import type { Report } from "./report.js"

/** The built-in page that each page of the application stands in for. */
const standsFor: Readonly<Record<string, string>> = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
}

/** Reads `pages`. The service's own address of a page redirects to the page that is named: naming it has no end. */
export function pagesOf(given: unknown, basePath: string, report: Report): Readonly<Partial<PagesOptions>> {
  const written = Object.entries(membersOf(given)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  )
  const circular = written.filter(([name, page]) => leadsToItself(name, page, basePath)).map(([name]) => name)
  if (circular.length > 0) {
    const detail = circular.map((name) => `pages.${name} is "${basePath}/${standsFor[name]}"`).join(", ")
    report.warn("page-leads-to-itself", `${detail}.`)
  }
  return Object.freeze(Object.fromEntries(written.filter(([name]) => !circular.includes(name))))
}

/** Below it as well: the name of a provider changes nothing. */
function leadsToItself(name: string, page: string, basePath: string): boolean {
  const own = Object.hasOwn(standsFor, name) ? `${basePath}/${standsFor[name]}` : undefined
  if (own === undefined || !page.startsWith("/") || !URL.canParse(page, "https://origin.invalid")) return false
  const { origin, pathname } = new URL(page, "https://origin.invalid")
  return origin === "https://origin.invalid" && (pathname === own || pathname.startsWith(`${own}/`))
}
