/** What a route of the application may say with a call of the object's methods. */

/** How a call from a route of the application is checked. */
export interface RouteCall {
  /**
   * `true`: the route itself rules out calls from other sites, so the sender of the request is not checked.
   * @default false
   */
  readonly trusted?: boolean
}

/** Options of `auth.update`, and of what changes something in `auth.sessions`. */
export interface RouteUpdateOptions extends RouteCall {
  /** Fields of the form, for its `csrfToken` where the browser does not say which site it is on. */
  readonly fields?: Readonly<Record<string, unknown>>
}
