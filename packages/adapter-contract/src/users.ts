/** The contract of the operations on users. */
import { type ContractCase, group } from "./case.js"
import { absent, fail, holds, present, refuses, same, sameId } from "./check.js"
import { draftUser, newUser, noAddress } from "./samples.js"

export const userCases: readonly ContractCase[] = group("users", {
  "createUser answers the user as stored, and getUser finds it": [
    ["createUser", "getUser"],
    async ({ adapter, ...kit }) => {
      const draft = draftUser({ adapter, ...kit })
      const { id: _, ...members } = draft
      const created = await adapter.createUser(draft)
      holds(created, members, "createUser")
      const found = present(await adapter.getUser(created.id), "getUser")
      holds(found, { ...members, id: created.id }, "getUser")
    },
  ],
  "the id that createUser answers names the user, whether the given one was kept or not": [
    ["createUser", "getUserByEmail"],
    async (kit) => {
      const [first, second] = [await newUser(kit), await newUser(kit)]
      for (const { id, email } of [first, second]) {
        if (id === undefined || id === null || String(id) === "") fail(`createUser: expected an id, got ${String(id)}`)
        sameId(present(await kit.adapter.getUserByEmail(email), "getUserByEmail").id, id, "the id of the same user")
      }
      if (String(first.id) === String(second.id)) fail(`createUser: expected two ids, got ${String(first.id)} twice`)
    },
  ],
  "createUser does not write to what it is given": [
    ["createUser"],
    async (kit) => {
      const draft = { ...draftUser(kit) }
      const before = JSON.stringify(draft)
      await kit.adapter.createUser(draft)
      same(JSON.stringify(draft), before, "the user handed in")
    },
  ],
  "createUser refuses an address that another user has": [
    ["createUser", "getUserByEmail"],
    async (kit) => {
      const first = await newUser(kit)
      await refuses(() => newUser(kit, { email: first.email }), "createUser with a taken address")
      const found = present(await kit.adapter.getUserByEmail(first.email), "getUserByEmail")
      sameId(found.id, first.id, "the owner of the address")
    },
  ],
  "users without an address do not collide": [
    ["createUser", "getUser"],
    async (kit) => {
      const [first, second] = [await newUser(kit, noAddress(kit)), await newUser(kit, noAddress(kit))]
      for (const user of [first, second]) {
        const found = present(await kit.adapter.getUser(user.id), "getUser")
        same(found.email || "", "", "the address")
      }
      if (String(first.id) === String(second.id)) throw new Error("both users have one id")
    },
  ],
  "getUser answers null for an unknown id": [
    ["getUser"],
    async (kit) => absent(await kit.adapter.getUser(globalThis.crypto.randomUUID()), "getUser"),
  ],
  "getUser finds a user by the text of its id": [
    ["createUser", "getUser"],
    async (kit) => {
      const user = await newUser(kit)
      const found = present(await kit.adapter.getUser(String(user.id)), "getUser")
      sameId(found.id, user.id, "getUser.id")
    },
  ],
  "getUserByEmail finds the owner of an address": [
    ["createUser", "getUserByEmail"],
    async (kit) => {
      const user = await newUser(kit)
      await newUser(kit)
      const found = present(await kit.adapter.getUserByEmail(user.email), "getUserByEmail")
      holds(found, { id: user.id, email: user.email, name: user.name }, "getUserByEmail")
    },
  ],
  "getUserByEmail answers null for an unknown address": [
    ["getUserByEmail"],
    async (kit) => absent(await kit.adapter.getUserByEmail(`${kit.fresh("nobody")}@example.test`), "getUserByEmail"),
  ],
  "updateUser changes what is given, keeps the rest and answers the whole user": [
    ["createUser", "getUser", "updateUser"],
    async (kit) => {
      const user = await newUser(kit)
      const bystander = await newUser(kit)
      const updated = await kit.adapter.updateUser({ id: user.id, name: "Countess" })
      const expected = { id: user.id, name: "Countess", email: user.email, image: user.image }
      holds(updated, expected, "updateUser")
      holds(present(await kit.adapter.getUser(user.id), "getUser"), expected, "getUser")
      holds(present(await kit.adapter.getUser(bystander.id), "getUser"), { name: bystander.name }, "another user")
    },
  ],
  "updateUser moves a user to another address": [
    ["createUser", "getUserByEmail", "updateUser"],
    async (kit) => {
      const user = await newUser(kit)
      const email = `${kit.fresh("moved")}@example.test`
      await kit.adapter.updateUser({ id: user.id, email })
      sameId(present(await kit.adapter.getUserByEmail(email), "the new address").id, user.id, "the owner")
      absent(await kit.adapter.getUserByEmail(user.email), "the old address")
    },
  ],
  "updateUser refuses an address that another user has": [
    ["createUser", "getUser", "updateUser"],
    async (kit) => {
      const [owner, other] = [await newUser(kit), await newUser(kit)]
      await refuses(() => kit.adapter.updateUser({ id: other.id, email: owner.email }), "updateUser")
      holds(present(await kit.adapter.getUser(other.id), "getUser"), { email: other.email }, "the other user")
    },
  ],
  "updateUser of an unknown id is refused": [
    ["updateUser"],
    async (kit) =>
      refuses(() => kit.adapter.updateUser({ id: globalThis.crypto.randomUUID(), name: "Nobody" }), "updateUser"),
  ],
  "updateUser of an unknown id makes no user": [
    ["updateUser", "getUser"],
    async (kit) => {
      const id = globalThis.crypto.randomUUID()
      await Promise.allSettled([(async () => kit.adapter.updateUser({ id, name: "Nobody" }))()])
      absent(await kit.adapter.getUser(id), "getUser")
    },
  ],
  "a user handed out is a copy": [
    ["createUser", "getUser"],
    async (kit) => {
      const user = await newUser(kit)
      const found: { name?: string | null } = present(await kit.adapter.getUser(user.id), "getUser")
      found.name = "changed outside"
      holds(present(await kit.adapter.getUser(user.id), "getUser"), { name: user.name }, "getUser")
    },
  ],
})
