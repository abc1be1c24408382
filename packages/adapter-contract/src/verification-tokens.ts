/** The contract of the operations on verification tokens. */
import { type ContractCase, group } from "./case.js"
import { absent, holds, present } from "./check.js"
import { tokenKey } from "./keys.js"
import { newToken } from "./samples.js"

export const verificationTokenCases: readonly ContractCase[] = group("verification tokens", {
  "useVerificationToken answers the token": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const token = await newToken(kit)
      const { identifier, token: hash } = token
      const used = await kit.adapter.useVerificationToken({ identifier, token: hash })
      holds(present(used, "useVerificationToken"), token, "useVerificationToken")
    },
  ],
  "a verification token works once": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const { identifier, token } = await newToken(kit)
      present(await kit.adapter.useVerificationToken({ identifier, token }), "the first use")
      absent(await kit.adapter.useVerificationToken({ identifier, token }), "the second use")
    },
  ],
  "a wrong token is refused and the right one still works": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const { identifier, token } = await newToken(kit)
      absent(await kit.adapter.useVerificationToken({ identifier, token: kit.fresh("wrong") }), "a wrong token")
      present(await kit.adapter.useVerificationToken({ identifier, token }), "the right token")
    },
  ],
  "a right token with another address is refused and still works": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const { identifier, token } = await newToken(kit)
      const other = `${kit.fresh("other")}@example.test`
      absent(await kit.adapter.useVerificationToken({ identifier: other, token }), "another address")
      present(await kit.adapter.useVerificationToken({ identifier, token }), "the right address")
    },
  ],
  "tokens do not cross between addresses": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const [first, second] = [await newToken(kit), await newToken(kit)]
      const crossed = { identifier: first.identifier, token: second.token }
      absent(await kit.adapter.useVerificationToken(crossed), "one address with the other's token")
      present(await kit.adapter.useVerificationToken(tokenKey(first)), "the first token")
      present(await kit.adapter.useVerificationToken(tokenKey(second)), "the second token")
    },
  ],
  "two tokens of one address both work": [
    ["createVerificationToken", "useVerificationToken"],
    async (kit) => {
      const first = await newToken(kit)
      const second = await newToken(kit, { identifier: first.identifier })
      present(await kit.adapter.useVerificationToken(tokenKey(first)), "the older token")
      present(await kit.adapter.useVerificationToken(tokenKey(second)), "the newer token")
    },
  ],
  "useVerificationToken answers null for an unknown token": [
    ["useVerificationToken"],
    async (kit) => {
      const key = { identifier: `${kit.fresh("nobody")}@example.test`, token: kit.fresh("hash") }
      absent(await kit.adapter.useVerificationToken(key), "useVerificationToken")
    },
  ],
})
