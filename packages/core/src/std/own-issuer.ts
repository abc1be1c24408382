/** Which issuer the file of a provider gives: noted at its options, so that one that an application writes over it is recognised. */

/** Of the registry, because providers and core may come from two copies of this package. */
const fromFile = Symbol.for("latchkey.issuer-of-file")

/** Notes at the options of a provider which issuer its file gives, if any. Copies of the provider share its options. */
export function noteIssuer<T extends object>(options: T, issuer: unknown): T {
  return Object.defineProperty(options, fromFile, { value: issuer })
}

/** Did the application write this issuer over that of the file? Not known, and so `false`, of providers made elsewhere. */
export function isOwnIssuer(issuer: unknown, options: object): boolean {
  return fromFile in options && options[fromFile] !== issuer
}
