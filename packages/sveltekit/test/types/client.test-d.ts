/** The client's types under the names that applications written for `@auth/sveltekit` import. */
import {
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignOutParams,
  type SignOutResponse,
  signIn,
  signOut,
} from "@latchkey/sveltekit/client"
import { expectTypeOf, it } from "vitest"

it("options and answers have both names", () => {
  const enter = (options?: SignInOptions, params?: SignInAuthorizationParams) => signIn("github", options, params)
  const leave = (options: SignOutParams<false>) => signOut(options)
  expectTypeOf(enter).returns.resolves.toEqualTypeOf<undefined>()
  expectTypeOf(leave).returns.resolves.toEqualTypeOf<SignOutResponse>()
})
