/** The marker symbols of a configuration. They are known by their description, so that markers of another copy of the package count as well. */

/** Set `skipCSRFCheck` to this marker to switch the protection off. Only where something else protects. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check")

/** Set `raw` to this marker and `Auth` answers with plain data instead of a `Response`. */
export const raw: unique symbol = Symbol("return-type-raw")

/** A provider's member of this name replaces `fetch` for everything that is asked of it. */
export const customFetch: unique symbol = Symbol("custom-fetch")

/** The descriptions of the markers. */
export type Marker = "skip-csrf-check" | "return-type-raw" | "custom-fetch" | "conform-internal"

/** Is the value a marker of this kind? */
export function isMarker(value: unknown, marker: Marker): boolean {
  return typeof value === "symbol" && value.description === marker
}

/** The own member of an object that stands under a marker. */
export function markedMember(owner: object, marker: Marker): unknown {
  const key = Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === marker)
  return key === undefined ? undefined : (owner as Record<symbol, unknown>)[key]
}
