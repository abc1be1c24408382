/** Callbacks of an application that refreshes a token in `jwt`, and whose `session` can fail afterwards. */

/** What a test switches, and how often the token had been refreshed when it came in last. */
export interface Refreshing {
  refresh: boolean
  fails: boolean
  seen: number
}

/** The switches, both off, and the callbacks that follow them. */
export function refreshing() {
  const state: Refreshing = { refresh: false, fails: false, seen: 0 }
  const callbacks = {
    jwt<T extends Record<string, unknown>>({ token }: { token: T }): T {
      state.seen = Number(token["refreshed"] ?? 0)
      return state.refresh ? { ...token, refreshed: state.seen + 1 } : token
    },
    session<T>({ session }: { session: T }): T {
      if (state.fails) throw new Error("the profile service is away")
      return session
    },
  }
  return { state, callbacks }
}
