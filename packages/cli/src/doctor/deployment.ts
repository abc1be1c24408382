/** Host, proxy, addresses and cookies: what decides whether a browser comes back with its cookies. */
import { type Check, type Finding, found, type Patient, pages } from "./finding.js"

const error = found("error", pages.trust)
const warning = found("warning", pages.trust)

const isLoopback = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)

function ofAddress({ inspection, isProduction }: Patient, given: string): readonly Finding[] {
  const { origin } = inspection
  if (origin === undefined) return []
  const { protocol, hostname } = new URL(origin)
  if (isProduction && isLoopback(hostname)) {
    return [
      error(
        "url-local",
        `AUTH_URL: expected the public address of the application, received ${origin}.`,
        "Set AUTH_URL to it, such as https://app.example.com.",
      ),
    ]
  }
  if (isProduction && protocol === "http:") {
    return [
      error(
        "url-insecure",
        `AUTH_URL: expected https in production, received ${origin}.`,
        "Set AUTH_URL to the https address: without it session cookies could be read on the network.",
      ),
    ]
  }
  if (!isProduction && !isLoopback(hostname) && protocol === "http:") {
    return [
      warning(
        "url-insecure",
        `AUTH_URL: expected https, or localhost, received ${origin}.`,
        "Browsers keep Secure cookies from plain http, except on localhost.",
      ),
    ]
  }
  if (!isProduction && isLoopback(hostname) && protocol === "https:") {
    return [
      warning(
        "url-https-local",
        `AUTH_URL: expected http for a development server, received ${origin}.`,
        "Keep https only if the development server uses it: otherwise cookies are made for https, and browsers do not send them back.",
      ),
    ]
  }
  return /\/auth\/|\/callback|\/signin/.test(new URL(given).pathname)
    ? [
        error(
          "url-path",
          "AUTH_URL: expected the address of the application, or that with the base path, received the address of an action.",
          "Leave out what follows the base path.",
        ),
      ]
    : []
}

/** What was said of the trust in hosts. */
function trustGiven({ env, written }: Patient): string {
  if (written?.trustHost === false) return "trustHost: false"
  const word = env.AUTH_TRUST_HOST?.trim()
  return word ? `AUTH_TRUST_HOST=${word}` : "none"
}

/** AUTH_URL and the trust in hosts. */
export const host: Check = (patient) => {
  const { env, inspection, isProduction, project } = patient
  const given = env.AUTH_URL?.trim()
  const findings: Finding[] = given && URL.canParse(given) ? [...ofAddress(patient, given)] : []
  if (isProduction && inspection.hostTrust === "never" && inspection.origin === undefined) {
    findings.push(
      error(
        "host-untrusted",
        `Host: expected AUTH_URL, AUTH_TRUST_HOST=true or trustHost: true in production, received ${trustGiven(patient)}: every request is refused with UntrustedHost.`,
        "Set AUTH_URL=https://<your host>, or AUTH_TRUST_HOST=true where a proxy in front sets the host.",
      ),
    )
  }
  const isServerOfNext =
    project?.frameworks[0] === "next" && !("@latchkey/next" in project.manifest.dependencies) && !given && !env.VERCEL
  if (isServerOfNext) {
    findings.push(
      warning(
        "url-next",
        "AUTH_URL: expected it to be set for Next.js, received nothing.",
        "A server component does not know its own address: set AUTH_URL=http://localhost:3000 in .env.local.",
      ),
    )
  }
  return findings
}

const hostOf = (address: string | undefined): string | undefined => {
  const url = address?.includes("://") ? address : `https://${address}`
  return address && URL.canParse(url) ? new URL(url).host : undefined
}

/** The host of production, where the platform says that this deployment is a preview. */
function productionBehind({ VERCEL_ENV, VERCEL_PROJECT_PRODUCTION_URL, NETLIFY, CONTEXT, URL: site }: Patient["env"]) {
  if (VERCEL_ENV === "preview") return hostOf(VERCEL_PROJECT_PRODUCTION_URL)
  return NETLIFY && (CONTEXT === "deploy-preview" || CONTEXT === "branch-deploy") ? hostOf(site) : undefined
}

/** A preview that takes itself for production. */
export const preview: Check = ({ env, inspection }) => {
  const production = productionBehind(env)
  if (production === undefined || hostOf(inspection.origin) !== production) return []
  return [
    found("error", "docs/guides/preview-deployments.md")(
      "url-of-production",
      `AUTH_URL: expected the address of this preview, or none, received that of production, ${inspection.origin}: people who sign in here are sent there, and fail.`,
      "Set AUTH_URL for production alone. Where the platform is not trusted without it, set AUTH_TRUST_HOST=true for previews.",
    ),
  ]
}

/** A redirect proxy that does not list the deployments it serves. */
export const proxy: Check = ({ env, inspection, written }) => {
  const address = written?.redirectProxyUrl ?? env.AUTH_REDIRECT_PROXY_URL
  const isProxy = inspection.origin !== undefined && address?.startsWith(`${inspection.origin}/`) === true
  if (!isProxy || written === undefined || written.redirectProxyOrigins !== undefined) return []
  return [
    found("warning", "docs/guides/preview-deployments.md")(
      "redirect-proxy-origins",
      "redirectProxyOrigins: expected the origins of the deployments behind this redirect proxy, received nothing.",
      "List them: else sign-ins are sent on to any https address that a holder of the secret names.",
    ),
  ]
}

/** Addresses of pages that lead back to where they came from. */
export const loops: Check = ({ inspection }) => {
  const { basePath, pages: own } = inspection
  return Object.entries(own).flatMap(([name, path]) => {
    if (typeof path !== "string") return []
    const inner = path.replace(/[?#].*$/, "")
    const action = /^(?:signin|signout|error|verify-request|callback|session|csrf|providers)\b/
    if (!inner.startsWith(`${basePath}/`) || !action.test(inner.slice(basePath.length + 1))) return []
    return [
      found("error", pages.options)(
        "page-loop",
        `pages.${name}: expected a page of the application, received ${path}, which is served by the library itself.`,
        `Leave pages.${name} out for the built-in page.`,
      ),
    ]
  })
}

/** RFC 6265 §5.1.4. */
const isInside = (path: string, inner: string): boolean => `${inner}/`.startsWith(path.replace(/\/?$/, "/"))

function ofPath(role: string, path: string, { basePath }: Patient["inspection"]): Finding {
  return warning(
    "cookie-path",
    `cookies.${role}.options.path: expected a path that the service at ${basePath} is below, received ${path}.`,
    "Browsers do not send such a cookie to the service: whoever signs out there stays signed in. Leave it out.",
  )
}

/** Integrations may take the base path from where they are mounted, and `createAuth` from an argument. */
function isPathKnown({ env, project, written }: Patient): boolean {
  const address = env.AUTH_URL?.trim() ?? ""
  const isNamed = written?.basePath !== undefined || (URL.canParse(address) && new URL(address).pathname !== "/")
  return isNamed || (project?.frameworks[0] === "hono" && "@latchkey/hono" in project.manifest.dependencies)
}

/** Cookies that browsers would not keep, or not send. */
export const cookies: Check = (patient) => {
  const { inspection, isProduction, written } = patient
  const findings: Finding[] = []
  const cookie = found("error", pages.options)
  if (isProduction && inspection.useSecureCookies === false) {
    findings.push(
      cookie(
        "cookies-insecure",
        "useSecureCookies: expected it left out, or true, in production, received false.",
        "Leave it out: the scheme of the address decides.",
      ),
    )
  }
  if (!isProduction && inspection.useSecureCookies === true && inspection.origin?.startsWith("http:")) {
    findings.push(
      cookie(
        "cookies-secure-http",
        `useSecureCookies: expected it left out at ${inspection.origin}, received true.`,
        "Leave it out: the scheme of the address decides.",
      ),
    )
  }
  for (const [role, given] of Object.entries(written?.cookies ?? {})) {
    const { domain, path, sameSite } =
      (given as { options?: { domain?: unknown; path?: unknown; sameSite?: unknown } } | undefined)?.options ?? {}
    if (typeof path === "string" && !isInside(path, inspection.basePath) && isPathKnown(patient)) {
      findings.push(ofPath(role, path, inspection))
    }
    const site = inspection.origin === undefined ? undefined : new URL(inspection.origin).hostname
    if (typeof domain === "string" && site !== undefined && !`.${site}`.endsWith(`.${domain.replace(/^\./, "")}`)) {
      findings.push(
        cookie(
          "cookie-domain",
          `cookies.${role}.options.domain: expected ${site} or what it is below, received ${domain}.`,
          "Browsers refuse a cookie of another domain: correct it, or leave it out.",
        ),
      )
    }
    if (String(sameSite).toLowerCase() === "strict" && role !== "csrfToken") {
      findings.push(
        cookie(
          "cookie-strict",
          `cookies.${role}.options.sameSite: expected "lax", received "strict".`,
          "Browsers leave strict cookies out when a provider sends the person back: use lax.",
        ),
      )
    }
  }
  return findings
}
