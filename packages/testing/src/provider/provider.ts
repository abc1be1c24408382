/** A provider for tests: certified software on loopback, whose people sign in at once, with faults to switch on. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { OIDCConfig } from "@latchkey/core/types"
import type Provider from "oidc-provider"
import { close, listen } from "../listen.js"
import type { ClientAuthentication, ProviderCall } from "./call.js"
import { type Choice, choiceOf } from "./chooser.js"
import { configurationOf, loginPath } from "./configuration.js"
import { createSwitches, type FaultOptions, type FaultPlace, type Faults } from "./faults.js"
import { isMisdirected, misdirected, pass } from "./front.js"
import { makeSigningKey } from "./keys.js"
import { type ProviderPages, plainPages } from "./pages.js"
import { people as ordinaryPeople, type Person } from "./people.js"
import { formOf, type PostedForm, walk } from "./walk.js"

/** How a provider is made. */
export interface ProviderOptions {
  /** Its id in the configuration of the application. @default "test" */
  readonly id?: string
  /** Whom the provider knows. @default Ada and Grace, see {@link people} */
  readonly people?: readonly Person[]
  /** The client's id and secret. @default ordinary ones */
  readonly client?: { readonly id: string; readonly secret: string }
  /** How the application authenticates at the token endpoint. @default "client_secret_basic" */
  readonly clientAuthentication?: ClientAuthentication
  /** Callback addresses that are registered; others are refused. @default any address will do */
  readonly redirectUris?: readonly string[]
  /** Port on 127.0.0.1. @default a free one */
  readonly port?: number
  /** Who signs in is chosen on a page, by hand; {@link TestProvider.person} counts for nothing. @default false */
  readonly hasChooser?: boolean
  /** Pages of a look of their own, where `hasChooser`. @default plain ones */
  readonly pages?: ProviderPages
  /** Laid over the configuration of the library `oidc-provider`, which its documentation describes. */
  readonly configuration?: object
}

/** A running provider. */
export interface TestProvider {
  /** Issuer identifier: `http://127.0.0.1:<port>`. */
  readonly issuer: string
  /** Client id of the application. */
  readonly clientId: string
  /** Client secret of the application. */
  readonly clientSecret: string
  /** An entry for `providers` of the configuration. */
  readonly config: OIDCConfig<Person>
  /** `AUTH_<ID>_ID`, `_SECRET` and `_ISSUER`: an application that reads them comes here instead of to the real provider. */
  readonly env: Readonly<Record<string, string>>
  /** Who signs in next; `undefined` presses "cancel". A `login_hint` with a `sub` is used instead. Any person may be set. */
  person: Person | undefined
  /** The requests, in order: the newest 10,000, so that a provider which runs for weeks does not fill the memory. */
  readonly calls: readonly ProviderCall[]
  /** Switches a fault on; calling what it returns switches it off. */
  fault<Place extends FaultPlace>(place: Place, what: Faults[Place], options?: FaultOptions): () => void
  /** Switches all faults off. */
  heal(): void
  /** From now on another key signs, and the key set names that one alone. */
  rotateKeys(): Promise<void>
  /** Takes a fresh browser from the authorization request to the address the provider sends it back to. */
  authorize(url: string): Promise<string>
  /** The same where the provider posts a form: its action and fields. */
  authorizeByForm(url: string): Promise<PostedForm>
  /** Stops the provider. */
  close(): Promise<void>
}

const ordinaryClient = { id: "latchkey-test", secret: "a-secret-of-the-test-client-that-is-long-enough" }

/** Starts a provider on loopback. Close it when done. */
export async function createProvider(options: ProviderOptions = {}): Promise<TestProvider> {
  const { id = "test", people = ordinaryPeople, client = ordinaryClient } = options
  const front = createServer()
  const issuer = `http://127.0.0.1:${await listen(front, options.port)}`
  const firstKey = await makeSigningKey()
  const state = { key: firstKey, person: people[0] as Person | undefined }
  const known = new Map<string, Person>(people.map((person) => [person.sub, person]))
  const calls: ProviderCall[] = []
  const switches = createSwitches()

  const find = (sub: unknown): Person | undefined => known.get(String(sub))
  const pages = options.hasChooser ? (options.pages ?? plainPages) : undefined
  const interact = pages
    ? choiceOf({ people: [...people], pages, add: (person) => known.set(person.sub, person) })
    : (params: Readonly<Record<string, unknown>>): Choice => ({ person: find(params["login_hint"]) ?? state.person })
  const inner = createServer(await makeSoftware(issuer, options, { firstKey, find, pages, interact }))
  const behind = {
    issuer,
    port: await listen(inner),
    switches,
    pages,
    firstKey,
    key: () => state.key,
    note: (call: ProviderCall) => keepNewest(calls, call),
  }
  front.on("request", (request, response) => {
    pass(request, response, behind).catch(() => request.socket.destroy())
  })

  return {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    config: { id, name: "Test", type: "oidc", issuer, clientId: client.id, clientSecret: client.secret },
    env: environmentOf(id, { issuer, ...client }),
    calls,
    get person() {
      return state.person
    },
    set person(person) {
      state.person = person
      if (person) known.set(person.sub, person)
    },
    fault: (place, what, more = {}) => switches.set(place, what, more),
    heal: () => switches.clear(),
    rotateKeys: async () => {
      state.key = await makeSigningKey()
    },
    authorize: async (url) => (await walk(issuer, url)).location ?? lost(),
    authorizeByForm: async (url) => formOf((await walk(issuer, url)).text),
    close: async () => void (await Promise.all([close(front), close(inner)])),
  }
}

/** Appends to a list, and drops what is oldest where it has become longer than `most`. */
function keepNewest<Item>(list: Item[], item: Item, most = 10_000): void {
  list.push(item)
  if (list.length > most) list.shift()
}

function lost(): never {
  throw new Error("The provider sent the browser nowhere.")
}

function environmentOf(id: string, given: { issuer: string; id: string; secret: string }): Record<string, string> {
  const name = `AUTH_${id.toUpperCase().replaceAll("-", "_")}`
  return { [`${name}_ID`]: given.id, [`${name}_SECRET`]: given.secret, [`${name}_ISSUER`]: given.issuer }
}

interface Given {
  readonly firstKey: Awaited<ReturnType<typeof makeSigningKey>>
  find(sub: unknown): Person | undefined
  readonly pages: ProviderPages | undefined
  /** Who signs in, or the page that asks. */
  interact(params: Readonly<Record<string, unknown>>, request: IncomingMessage): Choice | Promise<Choice>
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Loads the library when it is needed, without the warning it prints on releases of Node that it does not list: it runs
 * the same on all that this package supports.
 */
async function loadLibrary(): Promise<typeof import("oidc-provider")> {
  const { warn } = console
  console.warn = (...parts: unknown[]) => {
    if (!String(parts[0]).includes("Unsupported runtime")) warn(...parts)
  }
  try {
    return await import("oidc-provider")
  } finally {
    console.warn = warn
  }
}

async function makeSoftware(issuer: string, options: ProviderOptions, given: Given): Promise<Listener> {
  const { interactionPolicy, Provider } = await loadLibrary()
  const { client = ordinaryClient, clientAuthentication = "client_secret_basic", redirectUris } = options
  const software = new Provider(
    issuer,
    configurationOf({
      client: { ...client, authentication: clientAuthentication, redirectUris: redirectUris ?? [`${issuer}/callback`] },
      key: given.firstKey,
      policy: interactionPolicy,
      pages: given.pages,
      find: given.find,
      more: options.configuration ?? {},
    }),
  )
  // Ports of tests change: they cannot be registered before.
  if (!redirectUris) Object.assign(software.Client.prototype, { redirectUriAllowed: () => true })
  const answer = software.callback()
  return (request, response) => {
    if (isMisdirected(request)) return misdirected(response)
    if (!request.url?.startsWith(loginPath)) return void answer(request, response)
    interact(software, given, { request, response }).catch(() => sayEnded(response, given))
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The login page. */
async function interact(software: Provider, given: Given, { request, response }: Exchange): Promise<void> {
  const { params } = await software.interactionDetails(request, response)
  const choice = await given.interact(params, request)
  if (choice.page !== undefined) return show(response, 200, choice.page)
  const cancelled = { error: "access_denied", error_description: "the person pressed cancel" }
  const result = choice.person ? { login: { accountId: choice.person.sub, remember: false } } : cancelled
  await software.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** A page that was opened once more, or in another browser. */
function sayEnded(response: ServerResponse, { pages = plainPages }: Given): void {
  const text = "This page belongs to a sign-in that has ended. Go back to the application and start again."
  show(response, 400, pages.notice({ title: "This sign-in has ended", text }))
}

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(page)
}
