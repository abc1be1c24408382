/** What applications written for Auth.js say to the compiler, with only the scope of their imports changed. */
import { AuthError, CredentialsSignin } from "@latchkey/core/errors"
import type { EmailProviderSendVerificationRequestParams, OIDCConfig, Provider } from "@latchkey/core/providers"
import { Cognito } from "@latchkey/core/providers/cognito"
import { Discord, type DiscordProfile } from "@latchkey/core/providers/discord"
import { GitHub } from "@latchkey/core/providers/github"
import { GitLab, type GitLabProfile } from "@latchkey/core/providers/gitlab"
import { Google, type GoogleProfile } from "@latchkey/core/providers/google"
import { Keycloak, type KeycloakProfile } from "@latchkey/core/providers/keycloak"
import type { AuthConfig, Session, SessionUpdate } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

interface Member extends GoogleProfile {
  groups: string[]
}

describe("a provider", () => {
  it("takes the type of its profile as an argument", () => {
    expectTypeOf(Google<Member>({ profile: ({ sub, groups }) => ({ id: sub, name: groups[0] ?? null }) })).toExtend<
      OIDCConfig<Member>
    >()
    const providers: Provider[] = [
      Google<GoogleProfile>({ clientId: "a" }),
      Keycloak<KeycloakProfile & { realm_access: { roles: string[] } }>({ issuer: "https://sso.test/realms/a" }),
      Discord<DiscordProfile>(),
      GitLab<GitLabProfile & { level: number }>({ baseUrl: "https://git.test" }),
    ]
    expectTypeOf(providers).toExtend<AuthConfig["providers"]>()
  })

  it("is called without options, to ask for its id and name", () => {
    const providers: Provider[] = [GitHub, Cognito, Google({})]
    const listed = providers.map((provider) => {
      const { id, name } = typeof provider === "function" ? provider() : provider
      return { id, name }
    })
    expectTypeOf(listed).toEqualTypeOf<{ id: string; name: string }[]>()
  })

  it("that sends mail names the type of what its sender is given", () => {
    const send = ({ identifier, url, theme }: EmailProviderSendVerificationRequestParams): string =>
      `${identifier} ${url} ${theme.brandColor}`
    expectTypeOf(send).toBeFunction()
  })
})

describe("an error of the application", () => {
  it("names its own type, and changes what it says", () => {
    class Locked extends CredentialsSignin {
      static override type = "Locked"
      override code = "locked"
    }
    class Closed extends AuthError {
      static override type = "Closed"
    }
    const error = new Closed()
    error.cause = { err: new Error("night") }
    error.type = "AccessDenied"
    expectTypeOf(Locked.type).toBeString()
    // @ts-expect-error a slip of the pen
    error.type = "AcessDenied"
  })
})

describe("an update of the session", () => {
  it("is taken over into the token without a cast", () => {
    const callbacks: AuthConfig["callbacks"] = {
      jwt({ token, trigger, session }) {
        if (trigger === "update" && session?.name) token.name = session.name
        if (trigger === "update" && session?.user) token.picture = session.user.image ?? null
        return token
      },
    }
    expectTypeOf(callbacks).toBeObject()
    expectTypeOf<SessionUpdate["user"]>().toEqualTypeOf<Session["user"]>()
  })
})
