/** The marker of a provider's own `fetch`, apart from the other markers because the type of a provider names it. */

/** A provider's member of this name replaces `fetch` for everything that is asked of it. */
export const customFetch: unique symbol = Symbol("custom-fetch")
