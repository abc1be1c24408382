/** The bytes of WebAuthn, for tests that forge answers by themselves. */
import "./refuse-production.js"

export { coseKeyOf, newKeys, toBase64url } from "./passkey/bytes.js"
export { type CborValue, encodeCbor } from "./passkey/cbor.js"
