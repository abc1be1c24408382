/** Authenticators and their users as they are stored, and as ceremonies need them. */
import { fromBase64, fromBase64url, toBase64, toBase64url } from "../../std/bytes.js"
import type { Authenticator } from "../../types/credential.js"
import type { AdapterUser } from "../../types/identity.js"
import type { NamedCredential, NewCredential, StoredCredential } from "./ceremony.js"

/** The one spelling of a credential id in rows: standard base64 with padding. */
export function storedId(id: string): string {
  return toBase64(fromBase64url(id))
}

/** A new credential as a row. */
export function toRow(credential: NewCredential, transports: readonly string[]): Authenticator {
  const credentialID = storedId(credential.id)
  return {
    credentialID,
    credentialPublicKey: toBase64(credential.publicKey),
    counter: credential.counter,
    credentialDeviceType: credential.deviceType,
    credentialBackedUp: credential.backedUp,
    ...(transports.length > 0 && { transports: transports.join(",") }),
    providerAccountId: credentialID,
  }
}

/** A row as the library needs it. Either flavour of base64 is read; counters of some drivers are text. */
export function fromRow(row: Authenticator): StoredCredential {
  return { ...named(row), publicKey: fromBase64(row.credentialPublicKey), counter: Number(row.counter) }
}

/** A row as it is named to the browser. */
export function named({ credentialID, transports }: Authenticator): NamedCredential {
  return { id: toBase64url(fromBase64(credentialID)), transports: splitTransports(transports) }
}

function splitTransports(text: string | null | undefined): readonly string[] | undefined {
  const transports = text?.split(",").filter((way) => way !== "")
  return transports && transports.length > 0 ? transports : undefined
}

/** How authenticators name an account (WebAuthn Level 3 §5.4.3). */
export function labelsOf({ id, email, name }: AdapterUser): { readonly name: string; readonly displayName: string } {
  const label = email || name || String(id)
  return { name: label, displayName: name || label }
}
