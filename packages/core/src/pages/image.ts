/** Logos and marks. A picture comes with the page, from the page's own origin, or from where the developer put it. */
import { type Html, html } from "../std/html.js"
import { isUrl } from "../std/url.js"
import type { OAuthProviderButtonStyles } from "../types/appearance.js"
import { plainColour } from "./theme.js"

/** A picture that may be loaded, and the source expression that lets it in. */
export interface Picture {
  readonly src: string
  /** For `img-src` (CSP Level 3 §2.3.1), quotes included where the grammar has them. */
  readonly source: string
}

/** The mark in front of a provider's name. */
export interface ProviderMark {
  readonly html: Html
  readonly source?: string | undefined
  /** The provider's colour, where its logo does not show it. */
  readonly colour?: string | undefined
}

const embedded = /^data:image\/(?:svg\+xml|png|jpeg|gif|webp|avif)[;,]/i
const ownPath = /^\/(?![/\\])/
// A host as the policy's grammar spells it: a stray ; or ' would begin another directive.
const host = /^[a-z0-9.-]+(?::\d+)?$/i

/** A picture without another host: `data:` or a path of this origin. */
export function readOwnPicture(address: unknown): Picture | undefined {
  if (typeof address !== "string") return undefined
  if (embedded.test(address)) return { src: address, source: "data:" }
  return ownPath.test(address) ? { src: address, source: "'self'" } : undefined
}

/** The theme's logo: as above, or at any http(s) host. */
export function readLogo(address: unknown): Picture | undefined {
  const own = readOwnPicture(address)
  if (own || typeof address !== "string") return own
  const isSchemeless = address.startsWith("//")
  const absolute = isSchemeless ? `https:${address}` : address
  if (!isUrl(absolute)) return undefined
  const url = new URL(absolute)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || !host.test(url.host)) return undefined
  return { src: address, source: isSchemeless ? url.host : url.origin }
}

/** A provider's logo: of this origin, or written out with `https:`. */
export function readProviderLogo(address: unknown): Picture | undefined {
  const own = readOwnPicture(address)
  const elsewhere = own ? undefined : readLogo(address)
  return own ?? (elsewhere?.source.startsWith("https:") ? elsewhere : undefined)
}

/** The provider's own mark when it can be shown, else its initial on its colour. */
export function providerMark({
  id,
  name,
  style,
}: {
  readonly id: string
  readonly name: string
  readonly style?: Readonly<OAuthProviderButtonStyles> | undefined
}): ProviderMark {
  const logo = readProviderLogo(style?.logo)
  const colour = plainColour(style?.brandColor) ?? plainColour(style?.bg)
  if (logo) return { html: html`<img class="mark" src="${logo.src}" alt="">`, source: logo.source, colour }
  const [initial = "?"] = (name.trim() || id).toUpperCase()
  // A presentation attribute, not a style attribute: the policy refuses the latter.
  const fill = colour === undefined ? html`` : html` color="${colour}"`
  return {
    html: html`<svg class="mark" viewBox="0 0 24 24"${fill} aria-hidden="true"><rect width="24" height="24" rx="6"/><text x="12" y="16.5" text-anchor="middle">${initial}</text></svg>`,
  }
}
