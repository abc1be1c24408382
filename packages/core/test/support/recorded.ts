/** What a real provider answered, as `npm run test:idps` keeps it: without secrets, and times as distances from now. */

/** A signed token, taken apart. */
export interface RecordedToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** An answer of an endpoint; a signed body is taken apart, a JSON one is an object. */
export interface RecordedAnswer {
  readonly status: number
  readonly type: string
  readonly body: RecordedToken | Readonly<Record<string, unknown>> | string
}

/** One sign-in. */
export interface RecordedFlow {
  /** What the application's provider has beside issuer and client. */
  readonly options: Readonly<Record<string, unknown>>
  /** How the answer came back. */
  readonly method: "GET" | "POST"
  /** Its parameters; `state` and `code` stand for those of the flow. */
  readonly returned: Readonly<Record<string, string>>
  readonly token?: RecordedAnswer
  readonly userinfo?: RecordedAnswer
  /** The logged error, or nothing for a sign-in that succeeded. */
  readonly error?: string
}

/** All that is kept of one provider. */
export interface RecordedAnswers {
  readonly provider: string
  readonly issuer: string
  readonly discovery: Readonly<Record<string, unknown>>
  readonly keys: readonly Readonly<Record<string, unknown>>[]
  readonly flows: Readonly<Record<string, RecordedFlow>>
}
