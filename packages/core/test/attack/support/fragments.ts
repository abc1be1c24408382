/** What requests of attackers are made of: pieces that parsers disagree about, combined at random by the properties. */
import fc from "fast-check"
import { redirectCorpus } from "../../support/redirect-corpus.js"

const awkward = [
  "",
  "0",
  "null",
  "undefined",
  "true",
  "__proto__",
  "constructor",
  "toString",
  "..",
  ".",
  "%",
  "%zz",
  "%00",
  "%2e%2e",
  "%2f",
  "%0d%0aSet-Cookie: a=b",
  "<script>alert(1)</script>",
  '"><svg onload=1>',
  "'; drop table users;--",
  "\\",
  "\u0000",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ud800",
  "ß",
  "İ",
  "\ufdfa",
  "a".repeat(5000),
  "(".repeat(2000),
  "evil.test",
  "//evil.test",
  "https://evil.test/",
  "javascript:alert(1)",
  "victim@op.test",
  "x@evil.test,v@victim.test",
  '"a@evil.test"@victim.test',
  "v@victim.test\r\nBcc: x@evil.test",
] as const

/** A text: an awkward one, one that asks for a redirect, or any. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...awkward) },
  { weight: 2, arbitrary: fc.constantFrom(...redirectCorpus.map(([, value]) => value)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
)

const fieldNames = [
  "callbackUrl",
  "redirectTo",
  "returnTo",
  "next",
  "referrer",
  "csrfToken",
  "email",
  "token",
  "state",
  "code",
  "iss",
  "error",
  "error_description",
  "provider",
  "id",
  "userId",
  "user",
  "sub",
  "redirect",
  "action",
  "data",
  "json",
  "username",
  "password",
  "__proto__",
  "constructor",
  "_method",
] as const

const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fieldNames) }, { weight: 1, arbitrary: text })

/** Parameters of a query or a form, in order and with repetitions. */
export const parameters = fc.array(fc.tuple(name, text), { maxLength: 6 })

const segments = [
  "auth",
  "session",
  "csrf",
  "providers",
  "signin",
  "signout",
  "callback",
  "error",
  "verify-request",
  "webauthn-options",
  "op",
  "mail",
  "credentials",
  "passkey",
  "second",
] as const

/** A path: one of the service with a provider or without, or one of any segments. */
export const path: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("/auth/signout", "/auth/signin/op", "/auth/signin/mail", "/auth/signin") },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...segments.slice(1, 10)), fc.constantFrom("", ...segments.slice(10)))
      .map(([action, provider]) => `/auth/${action}${provider && `/${provider}`}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...segments), text), { maxLength: 4 })
      .map((parts) => `/${parts.map(encoded).join("/")}`),
  },
)

/** As a client encodes what no address may hold; half a character becomes the replacement character. */
function encoded(part: string): string {
  return encodeURI(part.replace(/\p{Cs}/gu, "\ufffd"))
}

/** A value that a header can carry. */
const headerValue = text.map((value) =>
  [...value]
    .filter((character) => /[\t\x20-\x7e\x80-\xff]/.test(character))
    .join("")
    .slice(0, 3000),
)

/** Headers that services have trusted before. */
export const headers = fc.dictionary(
  fc.constantFrom(
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "forwarded",
    "origin",
    "purpose",
    "referer",
    "sec-fetch-site",
    "user-agent",
    "x-auth-return-redirect",
    "x-forwarded-for",
    "x-forwarded-uri",
    "x-http-method-override",
    "x-middleware-next",
    "x-middleware-rewrite",
    "x-middleware-subrequest",
    "x-original-url",
    "x-rewrite-url",
    "x-user-id",
  ),
  headerValue,
  { maxKeys: 4 },
)

/** A method, as written. */
export const method = fc.constantFrom("GET", "GET", "POST", "POST", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")

/** How parameters are written as a body. */
export const bodyKind = fc.constantFrom("form", "json", "text", "broken json", "nested json", "none")
