import { expect, it } from "vitest"
import { schema } from "./schema.js"

/** The values that OAuth names (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3 and Session Management §2). */
const ofOAuth = ["access_token", "expires_at", "id_token", "refresh_token", "scope", "session_state", "token_type"]

it("names columns in camelCase, and values of OAuth in snake_case [spec adapter field-names]", () => {
  const { accounts, ...tables } = schema
  const names = Object.keys(accounts)
  expect(names.filter((name) => ofOAuth.includes(name)).sort()).toEqual(ofOAuth)
  const others = [...names.filter((name) => !ofOAuth.includes(name)), ...Object.values(tables).flatMap(Object.keys)]
  expect(others).toEqual(expect.arrayContaining(["providerAccountId", "emailVerified", "sessionToken", "credentialID"]))
  for (const name of others) expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]*|ID)*$/)
})
