/** What a developer writes. Everything but `providers` has a default. */
import type { Adapter } from "./adapter.js"
import type { PagesOptions, Theme } from "./appearance.js"
import type { Feature } from "./feature.js"
import type { CallbacksOptions, EventCallbacks, LoggerInstance } from "./hooks.js"
import type { Awaitable } from "./identity.js"
import type { LanguageOption, OwnTexts } from "./language.js"
import type { LimitsOptions } from "./limits.js"
import type { Provider } from "./provider.js"
import type { RecordStore } from "./records.js"
import type { Exposable } from "./session.js"
import type { SignInLinks } from "./sign-in-view.js"
import type { JWTOptions } from "./token.js"
import type { TrailEntry } from "./trail.js"

/** Attributes of a cookie (RFC 6265bis). */
export interface CookieAttributes {
  /** Hosts that get the cookie. @default the host that set it */
  domain?: string | undefined
  /** Paths below which the cookie is sent. */
  path?: string | undefined
  /** Seconds. */
  maxAge?: number | undefined
  /** When the cookie ends; `maxAge` counts for more. */
  expires?: Date | undefined
  /** Scripts of pages cannot read the cookie. */
  httpOnly?: boolean | undefined
  /** The cookie is sent over https only. */
  secure?: boolean | undefined
  /** The cookie belongs to the site that embeds the page (CHIPS). */
  partitioned?: boolean | undefined
  /** Which cookies a full browser keeps longest. */
  priority?: "low" | "medium" | "high" | undefined
  /** Whether requests from other sites carry the cookie. */
  sameSite?: boolean | "lax" | "strict" | "none" | undefined
  /** Encodes the value. @default encodeURIComponent */
  encode?: ((value: string) => string) | undefined
}

/** Name and attributes of one cookie. */
export interface CookieOption {
  /** Name of the cookie. */
  name: string
  /** Attributes; those that are missing keep their default. */
  options: CookieAttributes
}

/** The purposes cookies serve. */
export type CookieRole =
  | "sessionToken"
  | "callbackUrl"
  | "csrfToken"
  | "pkceCodeVerifier"
  | "state"
  | "nonce"
  | "webauthnChallenge"

/** Overrides by purpose; what is missing has its default. */
export type CookiesOptions = { [Role in CookieRole]: Partial<CookieOption> }

/** The configuration of the service. */
export interface AuthConfig {
  /** Ways to sign in: provider objects, or functions that make one. @default [] */
  providers: Provider[]
  /**
   * Hashes tokens and derives keys; at least 32 random characters. To rotate, give a list: the first one seals, and each
   * of them opens. In the environment the newer ones are `AUTH_SECRET_1` to `AUTH_SECRET_3`.
   * @default the variable `AUTH_SECRET`
   */
  secret?: string | string[] | undefined
  /** How sessions are kept. */
  session?:
    | {
        /** Where sessions are kept: in a sealed cookie or in rows. @default "database" with an adapter, else "jwt" */
        strategy?: "jwt" | "database" | undefined
        /** Seconds a session lives after its last extension. @default 2592000 */
        maxAge?: number | undefined
        /**
         * Seconds after its beginning a session ends, however often it is extended; `maxAge` stays the limit of
         * inactivity. With sessions in a database it needs records.
         * @default none
         */
        overallMaxAge?: number | undefined
        /**
         * Seconds between two extensions; 0 extends at every access.
         * @default 86400; half of `maxAge` where that is a day or less
         */
        updateAge?: number | undefined
        /** Makes the token of a session in a database. @default 32 random bytes in hex */
        generateSessionToken?: (() => string) | undefined
        /**
         * jwt strategy with an adapter: looks the user of the token up (`getUser` by `sub`) at each access, so that the
         * session of a deleted user ends; a token without `sub` is nobody's. Rows end with their user anyway.
         * @default false
         */
        verifyUser?: boolean | undefined
        /**
         * Members of the user that clients see beside name, email and image, such as `["id"]`, without a `session`
         * callback; one of those decides itself what it shows. jwt strategy: what is not `id` is kept in the token at
         * sign-in, so that it is there from the next sign-in on.
         * @default []
         */
        expose?: readonly Exposable[] | undefined
      }
    | undefined
  /** How session tokens are sealed. */
  jwt?: Partial<JWTOptions> | undefined
  /** Pages of the application in place of the built-in ones. */
  pages?: Partial<PagesOptions> | undefined
  /** Functions that decide: who may sign in, where to redirect, what tokens and sessions hold. */
  callbacks?: Partial<CallbacksOptions> | undefined
  /** Functions that are called after something happened. What they throw is logged and changes nothing. */
  events?: Partial<EventCallbacks> | undefined
  /**
   * Seconds that each callback, event handler and `authorize` may take, and so may `jwt.encode` and `jwt.decode`,
   * `generateSessionToken` and the `profile` function of a provider; `false`: as long as they want. Afterwards a
   * callback counts as failed, and the request no longer waits for an event. What comes too late is logged and dropped.
   * @default 30; `authorize` 120
   */
  callbackTimeout?: number | false | undefined
  /** The data layer: users, accounts, sessions, verification tokens, authenticators. @default none */
  adapter?: Adapter | undefined
  /**
   * Keeps records: small durable things such as counters of failed attempts, where something is switched on that needs
   * them. For adapters that keep none; it may be another database. Sealed with `secret`, or with the variable
   * `AUTH_RECORD_SECRET` (newer ones: `_1` to `_3`).
   * @default the adapter, where it has the operations of a `RecordStore`
   */
  records?: RecordStore | undefined
  /**
   * How many sign-in tries are allowed, by person and by network; `false` for any number. Counted in `records`,
   * else in the memory of the process.
   * @default on, with the sizes of the guide on limits; `false` under `NODE_ENV=test`
   */
  limits?: false | LimitsOptions | undefined
  /**
   * Gets an entry for what happened: sign-ins and failed ones, sign-outs, users and accounts, what was limited, faults.
   * Awaited after it happened; what it throws is logged and changes nothing.
   * @default none
   */
  trail?: ((entry: TrailEntry) => Awaitable<void>) | undefined
  /**
   * What is switched on beside sign-in, sign-out and sessions, such as `managedSessions()`. The order has no meaning.
   * @default []
   */
  features?: readonly Feature[] | undefined
  /** Logs the steps of each request. Not for production. Has no effect with a logger of the application. @default false */
  debug?: boolean | undefined
  /** Where messages go. @default the console */
  logger?: Partial<LoggerInstance> | undefined
  /** Look of the built-in pages and mails. */
  theme?: Theme | undefined
  /**
   * Language of the built-in pages and mails: one, several to choose from by `Accept-Language`, `"auto"` for all there
   * are, or a function of the request. Where it is set, providers of OpenID Connect get it as `ui_locales`.
   * @default "en"
   */
  language?: LanguageOption | undefined
  /** Pages of the application that the sign-in page leads to. @default none */
  links?: SignInLinks | undefined
  /**
   * Texts of the application in the place of built-in ones, by language and key, such as
   * `{ en: { "signin.heading": "Welcome" } }`; also of languages that are not built in.
   * @default the built-in texts
   */
  texts?: OwnTexts | undefined
  /** Cookies are for https only, and their names say so. @default true on https, false on http */
  useSecureCookies?: boolean | undefined
  /** Names and attributes of cookies, by purpose. @default see the guide on cookies */
  cookies?: Partial<CookiesOptions> | undefined
  /**
   * Whether the host of a request is trusted. By default it is with `AUTH_URL`, on Vercel and Cloudflare Pages, and under
   * `NODE_ENV=development` and `test`, the last three unless `AUTH_TRUST_HOST` is `false`; outside production loopback
   * is, too.
   * @default see `AUTH_TRUST_HOST`
   */
  trustHost?: boolean | undefined
  /** The exported marker `skipCSRFCheck` switches the protection off. */
  skipCSRFCheck?: symbol | undefined
  /** The exported marker `raw` makes `Auth` answer with plain data, a `ResponseInternal`. */
  raw?: symbol | undefined
  /** Base of `redirect_uri` for deployments without a fixed address. @default the variable `AUTH_REDIRECT_PROXY_URL` */
  redirectProxyUrl?: string | undefined
  /**
   * On the redirect proxy: the origins of the deployments it sends callbacks on to, such as
   * `https://*.preview.example.com` (`*` stands for one whole label, the first). Without it every https origin that a
   * state sealed with the shared secret names, and loopback; the log warns of that once. Plain http beyond loopback only
   * when it is listed.
   * @default any https origin
   */
  redirectProxyOrigins?: string[] | undefined
  /** Features that may change without notice. */
  experimental?:
    | {
        /** Passkeys and other WebAuthn credentials. @default false */
        enableWebAuthn?: boolean | undefined
      }
    | undefined
  /** Path below which the actions are served. Integrations derive it from where they are mounted. @default the path of `AUTH_URL`, else `/auth` */
  basePath?: string | undefined
}

/** A cookie of a {@link ResponseInternal}. */
export interface Cookie extends CookieOption {
  /** Value, before encoding. */
  value: string
}

/** The answer of the core when `raw` is set. */
export interface ResponseInternal<Body = unknown> {
  /** HTTP status. @default 200 */
  status?: number
  /** Headers, without cookies. */
  headers?: Headers | HeadersInit
  /** The body: a string, or a value for JSON. */
  body?: Body
  /** The address to redirect to. */
  redirect?: string
  /** The cookies to set. */
  cookies?: Cookie[]
}
