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

// A key of ES256 in COSE. Its point is the generator of P-256, which is nobody's credential.
const noKey = "pQECAyYgASFYIGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU="

/** Stands in for a credential that is not registered, where an answer has to be compared with one. */
export function standIn(id: string): Authenticator {
  return toRow({ id, publicKey: fromBase64(noKey), counter: 0, deviceType: "singleDevice", backedUp: false }, [])
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
