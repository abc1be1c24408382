/** Which differences concern an application: for each row of the guide, what shows that it does. */
import { knownIds, readProvider } from "../catalogue.js"
import { updateTakenWhole } from "../update-taken-whole.js"
import { type Application, placesOf } from "./application.js"
import { guideRows } from "./guide-rows.js"
import { type Place, spansOf } from "./source-text.js"

/** The title of a difference. */
export type Title = keyof typeof guideRows

/** What is asked of an application. */
interface Signs extends Application {
  /** Where the files that use Auth.js, and what these import, say something. */
  code(pattern: RegExp): readonly Place[]
  /** Where they say it in what begins with `start`: a function, a member of an object. */
  within(start: RegExp, pattern: RegExp): readonly Place[]
  /** Where any file does. */
  anywhere(pattern: RegExp): readonly Place[]
  /** Where the `.env` files give a variable a value that fits. */
  variable(name: RegExp, value?: (value: string) => boolean): readonly Place[]
  /** Kinds of the providers that are imported. */
  readonly types: readonly string[]
}

/** Places; `true` where there is nothing to point at, `"all"` for what concerns every application. */
type Sign = readonly Place[] | boolean | "all"

const adapter = (signs: Signs): readonly Place[] => signs.code(/\badapter\s*[:,(]/)
const hasAdapter = (signs: Signs): boolean => adapter(signs).length > 0
const hasMail = ({ types }: Signs): boolean => types.includes("email")
const hasPasskeys = ({ providers }: Signs): boolean => providers.has("passkey") || providers.has("webauthn")
const hasCredentials = ({ providers }: Signs): boolean => providers.has("credentials")
const isKit = ({ project }: Signs): boolean => "@auth/sveltekit" in project.manifest.dependencies
const links = (signs: Signs): readonly Place[] => signs.code(/\ballowDangerousEmailAccountLinking\b/)
const findsByAddress = (signs: Signs): boolean =>
  hasAdapter(signs) && (hasMail(signs) || hasPasskeys(signs) || links(signs).length > 0)
// What stands between two parts of a pattern is bounded: else a file with many beginnings and no end is read once for each.
/** A member of the configuration: written out, as a method, or by its own name. */
const member = (name: string): RegExp =>
  new RegExp(`(?<![.\\w$])(?:async\\s+)?${name}\\s*(?::|\\([^)]{0,1000}\\)\\s*\\{|,\\s*$)`, "m")
const sessionFunction = /\bsession\s*(?::\s*(?:async\b|\(|function)|\(\s*[{\w])/
const given = (condition: boolean, places: readonly Place[]): Sign =>
  condition ? (places.length > 0 ? places : true) : []

/** One entry for each row of the guide. */
const concerns: Readonly<Record<Title, (signs: Signs) => Sign>> = {
  id_token: ({ code, types }) => given(types.includes("oidc") || code(/["']oidc["']/).length > 0, code(/["']oidc["']/)),
  "Providers on http:": ({ code, variable }) => [
    ...code(/["'`]http:\/\/(?!localhost|127\.|\[::1\])/),
    ...variable(/^AUTH_\w+_ISSUER$/, (value) => /^http:\/\/(?!localhost|127\.)/.test(value)),
  ],
  AUTH_URL: ({ anywhere, variable }) => [...variable(/^(?:AUTH|NEXTAUTH)_URL$/), ...anywhere(/\b(?:NEXT)?AUTH_URL\b/)],
  AUTH_TRUST_HOST: ({ variable }) => variable(/^AUTH_TRUST_HOST$/, (value) => value !== "true" && value !== "1"),
  "Refusals to scripts": ({ anywhere }) => anywhere(/\bredirect\s*:\s*false\b/),
  "Unknown path, provider": () => "all",
  "Reading the session": () => "all",
  "Store unavailable": adapter,
  "signIn callback": (signs) => (hasPasskeys(signs) ? signs.code(member("signIn")) : []),
  "A string that signIn returns": ({ within }) => within(/(?<![.\w$])signIn\s*[:(]/, /\breturn\s[^;\n]{0,400}["'`]/),
  "A throw in jwt or session": ({ within }) => within(/(?<![.\w$])(?:jwt|session)\s*[:(]/, /\bthrow\b/),
  "token in callbacks and events": ({ code }) => (code(member("jwt")).length > 0 ? code(/\bstrict(?:Object)?\(/) : []),
  "What sendVerificationRequest gets": ({ code }) => code(/\bsendVerificationRequest\b/),
  "An AuthError thrown in signIn": ({ code }) => (code(member("signIn")).length > 0 ? code(/\bthrow\b/) : []),
  "An Error thrown in authorize": ({ within }) => within(/\bauthorize\b/, /\bthrow\s+(?:new\s+)?Error\b/),
  "A list, an Error, a Response, a Map or a Set that authorize returns": ({ code }) => code(/\bauthorize\b/),
  'An id from authorize that is what a missing one turns into: NaN, "undefined", {}, [], true': ({ code }) =>
    code(/\bauthorize\b/),
  "Sign-ins that fail with a provider": ({ code, types }) =>
    types.includes("oauth") || types.includes("oidc") ? code(/\bpages\s*:/) : [],
  "redirect callback": ({ code }) =>
    code(/\bredirect\s*(?::\s*(?:async\b|\(|function)|\(\s*\{[^)]{0,1000}\}\s*\)\s*\{)/),
  "jwt callback": ({ code }) => code(member("jwt")),
  "Callbacks that do not answer": ({ code }) => code(/\b(?:callbacks|authorize)\b/),
  "Session of a deleted user, jwt strategy": (signs) =>
    given(hasAdapter(signs), signs.code(/\bstrategy\s*:\s*["']jwt["']/)),
  "session callback, sessions in the database": (signs) => (hasAdapter(signs) ? signs.code(sessionFunction) : []),
  "session event, sealed sessions": ({ code }) => (code(sessionFunction).length > 0 ? code(/\bevents\s*:/) : []),
  "Type of the jwt callback": ({ code, project }) => (project.isTypeScript ? code(member("jwt")) : []),
  "A jwt.encode that keeps the claims alone that it knows": ({ code }) =>
    code(/\bjwt\s*[:=]\s*\{[\s\S]{0,400}?\bencode\b/),
  "A jwt callback that takes all of an update ({ ...token, ...session })": ({ within }) =>
    within(/(?<![.\w$])jwt\s*[:(]/, updateTakenWhole),
  "Session tokens beyond ten cookies": ({ code }) => code(member("jwt")),
  "Tokens without kid": ({ code, variable }) => [...variable(/^AUTH_SECRET_\d$/), ...code(/\bsecret\s*:\s*\[/)],
  "Sign-in parameters": ({ anywhere }) => anywhere(/\b(?:redirect_uri|client_id)\b/),
  "Several e-mail providers": ({ code, types }) => {
    const own = code(/\btype\s*:\s*["']email["']/)
    return given(types.filter((type) => type === "email").length + own.length > 1, own)
  },
  "E-mail link": (signs) => given(hasMail(signs), []),
  "Sessions with credentials": (signs) => given(hasCredentials(signs) && hasAdapter(signs), adapter(signs)),
  "CSRF in SvelteKit": isKit,
  "csrf.checkOrigin: false in SvelteKit, behind a proxy": ({ anywhere }) => anywhere(/\bcheckOrigin\s*:\s*false\b/),
  "Form actions of SvelteKit": (signs) =>
    isKit(signs) ? signs.anywhere(/\bactions\b[^\n]{0,400}\bsign(?:In|Out)\b/) : [],
  "signIn and signOut of SvelteKit": isKit,
  "updateAge of sessions of a day or less": ({ code }) => code(/\bmaxAge\s*:/),
  "CSRF cookie": ({ anywhere }) => anywhere(/csrf-?token/i),
  "Redirect proxy": ({ code, variable }) => [
    ...variable(/^AUTH_REDIRECT_PROXY_URL$/),
    ...code(/\bredirectProxyUrl\b|\bAUTH_REDIRECT_PROXY_URL\b/),
  ],
  state: ({ code }) => code(/\bchecks\s*:/),
  "Linking an account": adapter,
  "Two tabs signing in": () => "all",
  "Requests that fail": () => "all",
  "Debug log": ({ code }) => code(/\bdebug\s*:/),
  "A provider with a fault (gone, misconfigured, without its adapter or flag)": () => "all",
  "skipCSRFCheck: true": ({ code }) => code(/\bskipCSRFCheck\b/),
  "simpleWebAuthn of a provider": ({ code }) => code(/\bsimpleWebAuthn\b/),
  "Ids of accounts": adapter,
  "Profile without id": ({ code }) => code(member("profile")),
  private_key_jwt: ({ code }) => code(/\bprivate_key_jwt\b|\bclientPrivateKey\b/),
  "Token answers": ({ code }) => code(/["']oauth["']|\btoken_type\b|\bexpires_(?:in|at)\b/),
  "Sign-in by e-mail": (signs) => given(hasMail(signs) && hasAdapter(signs), adapter(signs)),
  emailVerified: (signs) => given(hasMail(signs), signs.anywhere(/\bemailVerified\b/)),
  "emailVerified set by the events linkAccount or createUser": ({ code }) =>
    code(/\bevents\s*[:=][\s\S]{0,2000}?\b(?:linkAccount|createUser)\b[\s\S]{0,400}?\bemailVerified\b/),
  "An address that the provider calls unverified": (signs) => given(findsByAddress(signs), adapter(signs)),
  allowDangerousEmailAccountLinking: links,
  "The first proof of an address (a mail link, or a link by a verified address)": (signs) =>
    given(findsByAddress(signs), adapter(signs)),
  "Users without an address": adapter,
  "Session cookies that no secret decrypts": () => "all",
  "webauthn-options": hasPasskeys,
  "deleteUser, unlinkAccount of the adapter": adapter,
  'trigger: "signUp"': ({ code }) => code(/["']signUp["']/),
  "Pictures of buttons": ({ code }) => given(code(/\bpages\s*:/).length === 0, code(/\blogo\s*:/)),
  "Host, without trustHost": ({ code }) => (code(/\btrustHost\b/).length === 0 ? true : []),
  "Secret of less than 32 characters": ({ variable }) =>
    variable(/^(?:AUTH|NEXTAUTH)_SECRET(?:_\d)?$/, (value) => value.length < 32),
  getToken: ({ anywhere }) => anywhere(/\bgetToken\b/),
  'signIn("github", { redirect: false }) of the client': ({ anywhere }) => anywhere(/\bredirect\s*:\s*false\b/),
  "Warnings of experimental features": hasPasskeys,
  "Tries of signing in": (signs) => given(hasCredentials(signs) || hasMail(signs), []),
  "signIn and signOut of Next.js with redirect: false": ({ project, anywhere }) =>
    "next-auth" in project.manifest.dependencies ? anywhere(/\bredirect\s*:\s*false\b/) : [],
  "SessionProvider of next-auth/react": ({ anywhere }) => anywhere(/<SessionProvider\b/),
  "getSession(request, config) of Express": ({ project, anywhere }) =>
    "@auth/express" in project.manifest.dependencies ? anywhere(/\bgetSession\s*\(/) : [],
}

/** A difference that concerns the application. */
export interface Difference {
  readonly title: string
  /** How Auth.js behaves. */
  readonly before: string
  /** How this library does. */
  readonly here: string
  /** What in the application shows it; empty where there is no one place. */
  readonly places: readonly Place[]
  readonly concerns: "this" | "all"
}

function signsOf(application: Application, types: readonly string[]): Signs {
  const { env, files, own } = application
  return {
    ...application,
    types,
    code: (pattern) => placesOf(pattern, own),
    within: (start, pattern) => placesOf(pattern, own, (code) => spansOf(code, start)),
    anywhere: (pattern) => placesOf(pattern, files),
    variable: (name, fits = () => true) =>
      Object.entries(env.env).flatMap(([key, value]) => {
        const path = env.sourceOf(key)
        return name.test(key) && value && path !== undefined && fits(value) ? [{ path }] : []
      }),
  }
}

/** The differences that concern the application, in the order of the guide. */
export async function differencesOf(application: Application): Promise<readonly Difference[]> {
  const ids = [...application.providers].filter((id) => knownIds.includes(id))
  const entries = await Promise.all(ids.map((id) => readProvider(id)))
  const signs = signsOf(
    application,
    entries.map(({ type }) => type),
  )
  return (Object.keys(concerns) as Title[]).flatMap((title): readonly Difference[] => {
    const sign = concerns[title](signs)
    if (sign === false || (Array.isArray(sign) && sign.length === 0)) return []
    const [before = "", here = ""] = guideRows[title].split("\t")
    const places = typeof sign === "object" ? sign : []
    return [{ title, before, here, places, concerns: sign === "all" ? "all" : "this" }]
  })
}
