/** The request that the stand-ins of Next's modules speak of, and what is done to its response. */

/** A cookie as it was set. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly options: Readonly<Record<string, unknown>>
}

/** What a server action or component finds around itself. */
export interface Current {
  /** `null` where Next has no request, as in the Pages Router. */
  headers: Headers | null
  /** A page is rendered: cookies cannot be set. */
  isRendering: boolean
  readonly cookies: SetCookie[]
}

/** The current one. Tests write it. */
export const current: Current = { headers: new Headers(), isRendering: false, cookies: [] }

/** How Next leaves a server action: by throwing. */
export class Redirected extends Error {
  readonly to: string
  readonly digest: string

  constructor(to: string, status = 307) {
    super(`redirected to ${to}`)
    this.to = to
    this.digest = `NEXT_REDIRECT;replace;${to};${status};`
  }
}
