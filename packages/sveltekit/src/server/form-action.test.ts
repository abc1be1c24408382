import {
  AccessDenied,
  AdapterError,
  AuthError,
  CredentialsSignin,
  MissingSecret,
  SessionTokenError,
} from "@latchkey/core/errors"
import { type RequestEvent, redirect } from "@sveltejs/kit"
import { expect, it } from "vitest"
import { formAction } from "./form-action.js"

const event = {} as RequestEvent
const failing = (error: unknown) => formAction(() => Promise.reject(error))

class WrongCode extends CredentialsSignin {
  override code = "otp"
}

/** As another copy of the package makes it. */
const foreign = Object.assign(new Error(), { type: "CredentialsSignin", kind: "signIn", code: "theirs" })

it.each([
  [new CredentialsSignin(), "credentials"],
  [new WrongCode(), "otp"],
  [foreign, "theirs"],
])("turns %s into fail(401, { code: %j })", async (error, code) => {
  expect(await failing(error)(event)).toMatchObject({ status: 401, data: { code } })
  expect(((await failing(error)(event)) as { data: object }).data).toEqual({ code })
})

it("turns other refusals into a failure with their public name", async () => {
  expect(await failing(new AccessDenied("the inside"))(event)).toMatchObject({
    status: 403,
    data: { error: "AccessDenied" },
  })
})

it.each([
  new MissingSecret("x"),
  new AdapterError("x"),
  new SessionTokenError("x"),
  new AuthError("x"),
  new Error("x"),
  "x",
])("throws the fault %s on", async (error) => {
  await expect(failing(error)(event)).rejects.toBe(error)
})

it("lets redirects and answers pass", async () => {
  await expect(formAction(async () => redirect(303, "/in"))(event)).rejects.toMatchObject({
    status: 303,
    location: "/in",
  })
  expect(await formAction(async () => ({ redirect: "/in" }))(event)).toEqual({ redirect: "/in" })
})
