/** What a route of the application may say with a call of the object's methods. */

/** Options of all calls from a route of the application. */
export interface RouteCall {
  /** Fields of a form: `email`, or those of the credentials; `csrfToken` where the browser does not say which site it is on. */
  readonly fields?: Readonly<Record<string, unknown>>
  /**
   * `true`: the route itself rules out calls from other sites, so the sender of the request is not checked.
   * @default false
   */
  readonly trusted?: boolean
}
