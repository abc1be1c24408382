/** Calls to a provider that differ from the usual ones: another header, another method, a second request. */
import type { TokenSet } from "../../types/identity.js"
import type { FetchFunction, TokenEndpoint } from "../../types/provider.js"
import { asMembers, regular } from "./tokens.js"

/** A call. */
export interface Question {
  readonly fetch: FetchFunction
  /** Name of the provider, for the message of an error. */
  readonly service: string
  readonly url: string
  /** Sent as bearer token. */
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Makes it a POST of JSON. */
  readonly json?: unknown
  /** Makes it a POST of a form. */
  readonly form?: Readonly<Record<string, string | undefined>>
  readonly method?: "GET" | "POST"
}

/**
 * The answer as JSON, which may hold anything.
 * @throws Error when the provider refuses, or answers with something else.
 */
// biome-ignore lint/suspicious/noExplicitAny: the default for callers whose mapping reads an answer without a type of its own
export async function ask<Answer = any>(question: Question): Promise<Answer> {
  const { fetch, service, url } = question
  const response = await fetch(url, requestOf(question))
  if (!response.ok) throw new Error(`${service} answered ${response.status} to the request for the profile.`)
  return (await response.json()) as Answer
}

/** What the engine hands to a provider that sends the token request itself. */
export type CodeExchange = Parameters<NonNullable<TokenEndpoint["request"]>>[0]

/** The members of a token request (RFC 6749 §4.1.3), without those that name the client. */
export function codeForm({ params, checks, redirectUri }: CodeExchange): Record<string, string | undefined> {
  const { code } = params
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: checks.code_verifier }
}

/** The client's secret, where it is a text. */
export function secretOf({ clientSecret }: { readonly clientSecret?: unknown }): string | undefined {
  return typeof clientSecret === "string" ? clientSecret : undefined
}

/**
 * Asks for tokens. `unwrap` takes them out of what came; a refusal is handed back as it is, for the engine to tell.
 * @throws Error when the answer is no JSON object.
 */
export async function askForTokens(
  question: Question,
  unwrap: (body: Record<string, unknown>) => unknown = (body) => body,
): Promise<{ tokens: TokenSet }> {
  const response = await question.fetch(question.url, requestOf(question))
  const body = asMembers(await response.json().catch(() => undefined))
  const tokens = body && asMembers(unwrap(body))
  if (tokens) return { tokens: regular(tokens) as TokenSet }
  throw new Error(`${question.service} answered ${response.status} without a JSON object to the token request.`)
}

function requestOf({ token, headers, json, form, method }: Question): RequestInit {
  const body = json === undefined ? form && encoded(form) : JSON.stringify(json)
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      accept: "application/json",
      // Some providers refuse calls that do not say who makes them.
      "user-agent": "latchkey",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { "content-type": "application/json" }),
      ...(json === undefined && form && { "content-type": "application/x-www-form-urlencoded" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  }
}

function encoded(form: Readonly<Record<string, string | undefined>>): string {
  const members = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return new URLSearchParams(members).toString()
}
