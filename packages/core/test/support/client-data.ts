/** Client data that no ceremony accepts, whichever it is: challenges and origins that are not its own, and foreign frames. */
import type { Misbehaviour } from "@latchkey/testing"
import { toBase64url } from "@latchkey/testing/webauthn"

const other = toBase64url(new Uint8Array(32).fill(7))

/** Titles and client data; each title begins with the row of registrations. */
// biome-ignore format: a table, each row stays on one line
export const foreignClientData: readonly (readonly [string, Misbehaviour])[] = [
  ["WR-06 another challenge", { clientData: { challenge: other } }],
  ["WR-06 an empty challenge", { clientData: { challenge: "" } }],
  ["WR-06 no challenge", { clientData: { challenge: undefined } }],
  ["WR-07 http", { clientData: { origin: "http://app.test" } }],
  ["WR-07, A-188 another port", { clientData: { origin: "https://app.test:8443" } }],
  ["WR-07 a sub-domain", { clientData: { origin: "https://x.app.test" } }],
  ["WR-07 a parent domain", { clientData: { origin: "https://test" } }],
  ["WR-07, A-188 a trailing dot", { clientData: { origin: "https://app.test." } }],
  ["WR-07 a trailing slash", { clientData: { origin: "https://app.test/" } }],
  ["WR-07 upper case", { clientData: { origin: "https://APP.test" } }],
  ["WR-07 a twin in punycode", { clientData: { origin: "https://xn--pp-7ka.test" } }],
  ["WR-07 the twin that it stands for", { clientData: { origin: "https://\u0430pp.test" } }],
  ["WR-07 another host", { clientData: { origin: "https://evil.test" } }],
  ["WR-07 the text null", { clientData: { origin: "null" } }],
  ["WR-07 null", { clientData: { origin: null } }],
  ["WR-07 an app", { clientData: { origin: "android:apk-key-hash:x" } }],
  ["WR-07 no origin", { clientData: { origin: undefined } }],
  ["WR-09 from inside a foreign frame", { clientData: { crossOrigin: true } }],
  ["WR-09 a crossOrigin that is text", { clientData: { crossOrigin: "false" } }],
  ["WR-09 a crossOrigin that is a number", { clientData: { crossOrigin: 0 } }],
  ["WR-10 a top origin", { clientData: { crossOrigin: undefined, topOrigin: "https://evil.test" } }],
  ["WR-10 a top origin beside crossOrigin false", { clientData: { crossOrigin: false, topOrigin: "https://evil.test" } }],
  ["WR-10 a top origin in a foreign frame", { clientData: { crossOrigin: true, topOrigin: "https://evil.test" } }],
  ["WR-10 its own origin as the top one", { clientData: { crossOrigin: false, topOrigin: "https://app.test" } }],
]

/** Ways to spell a challenge that are not the one in which it was handed out. */
export const misspelled: readonly (readonly [string, (challenge: string) => string])[] = [
  ["in standard base64", (challenge) => challenge.replaceAll("-", "+").replaceAll("_", "/")],
  ["padded", (challenge) => `${challenge}=`],
  ["truncated", (challenge) => challenge.slice(0, -1)],
  ["in capitals", (challenge) => challenge.toUpperCase()],
  ["with a letter more", (challenge) => `${challenge}A`],
]

/** Is every one of these spellings another text? Most challenges have a character that standard base64 writes otherwise. */
export const isOtherInEach = (challenge: string): boolean => /[-_]/.test(challenge)
