/** The types of the browser's client, as wrappers of applications name them. */
import {
  type SignInOptions,
  type SignInResponse,
  type SignOutOptions,
  type SignOutResponse,
  signIn,
  signOut,
} from "@latchkey/core/client"
import { expectTypeOf, it } from "vitest"

it("options are named by whether the page is left", () => {
  const leave = (options?: SignInOptions) => signIn("github", options)
  const stay = (options: SignInOptions<false>) => signIn("credentials", options)
  expectTypeOf(leave).returns.resolves.toEqualTypeOf<undefined>()
  expectTypeOf(stay).returns.resolves.toEqualTypeOf<SignInResponse>()
  expectTypeOf(signIn("credentials", { pin: "1" })).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(signIn("credentials", { pin: "1", redirect: false })).resolves.toEqualTypeOf<SignInResponse>()
  // @ts-expect-error a provider that has to be visited
  signIn("github", { redirect: false })
  const out = (options: SignOutOptions<false>) => signOut(options)
  expectTypeOf(out).returns.resolves.toEqualTypeOf<SignOutResponse>()
  expectTypeOf(signOut({ redirectTo: "/" })).resolves.toEqualTypeOf<undefined>()
})
