/** Objects typed by Auth.js are accepted as they are: its providers, its adapters, its configurations. */
import type { AuthConfig as PeerConfig } from "@auth/core"
import type { Adapter as PeerAdapter } from "@auth/core/adapters"
import PeerCredentials from "@auth/core/providers/credentials"
import PeerGitHub from "@auth/core/providers/github"
import PeerGoogle from "@auth/core/providers/google"
import PeerNodemailer from "@auth/core/providers/nodemailer"
import type { PagesOptions as PeerPages, Theme as PeerTheme } from "@auth/core/types"
import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { BuiltInProviderType, ProviderId } from "@latchkey/core/providers"
import type { AuthConfig, PagesOptions, Theme } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

describe("what the types of Auth.js describe", () => {
  it("is a provider, called or not", () => {
    createAuth({
      providers: [
        PeerGitHub,
        PeerGitHub({ clientId: "a", clientSecret: "b" }),
        PeerGoogle({ checks: ["pkce", "state"] }),
        PeerCredentials({ credentials: { pin: {} }, authorize: () => ({ id: "1" }) }),
        PeerNodemailer({ server: "smtp://127.0.0.1" }),
      ],
    })
  })

  it("is a list of providers", () => {
    const providers = [] as PeerConfig["providers"]
    createAuth({ providers })
    expectTypeOf<PeerConfig["providers"]>().toExtend<AuthConfig["providers"]>()
  })

  it("is an adapter", () => {
    expectTypeOf<PeerAdapter>().toExtend<Adapter>()
    createAuth({ providers: [], adapter: {} as PeerAdapter })
  })

  it("is a page, a theme, a pair of callbacks", () => {
    expectTypeOf<Partial<PeerPages>>().toExtend<Partial<PagesOptions>>()
    expectTypeOf<PeerTheme>().toExtend<Theme>()
  })

  it("is an id of a provider, under the name that frameworks import", () => {
    expectTypeOf<"github" | "microsoft-entra-id">().toExtend<BuiltInProviderType>()
    expectTypeOf<BuiltInProviderType>().toExtend<ProviderId>()
    expectTypeOf<"nobody">().not.toExtend<BuiltInProviderType>()
  })

  it("is an adapter that Auth.js accepts, made of our types", () => {
    expectTypeOf<Pick<Adapter, "getUser" | "createSession" | "useVerificationToken">>().toExtend<PeerAdapter>()
  })
})
