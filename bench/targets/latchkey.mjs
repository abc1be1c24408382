/** This project, as an application holds it. */
import { createAuth, customFetch } from "@latchkey/core"
import { encode, getToken } from "@latchkey/core/jwt"
import { memoryAdapter } from "@latchkey/core/memory"
import Passkey from "@latchkey/core/providers/passkey"
import { authSession, ExpressAuth, requireSession } from "@latchkey/express"
import { mailFlowWith, openMailbox, openPasskey, passkeyFlowWith } from "../harness/ceremonies.mjs"
import { openOp } from "../harness/op.mjs"
import {
  claimsOf,
  configuration,
  cookieName,
  flowWith,
  origin,
  plainCookieName,
  provider,
  secret,
  signInEmail,
  signInWith,
} from "../harness/world.mjs"

export const name = "Latchkey"

const sealed = (index, salt) => encode({ token: claimsOf(index), secret, salt })

/** @returns {Promise<object>} what is measured */
export async function open() {
  const auth = createAuth(configuration(), { env: {} })
  const op = createAuth(configuration({ providers: [provider(await openOp(), customFetch)] }), { env: {} })
  return {
    cookies: (count) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => `${cookieName}=${await sealed(index, cookieName)}`),
      ),
    session: async (cookie) => (await auth.session({ url: origin, headers: { cookie } })).session?.user.email ?? null,
    async token(cookie) {
      return (await getToken({ req: { headers: { cookie } }, secret, secureCookie: true }))?.email ?? null
    },
    async answer(cookie) {
      const answer = await auth.handle(new Request(`${origin}/auth/session`, { headers: { cookie } }))
      return (await answer.json())?.user.email ?? null
    },
    csrf: async () => (await (await auth.handle(new Request(`${origin}/auth/csrf`))).json()).csrfToken,
    signIn: await signInWith(auth.handle),
    flow: await flowWith(op.handle),
    mail: await openMail(),
    passkey: await openPasskeys(),
  }
}

// Without limits, which would refuse so many mails and passkeys of one person; by hand there are none either.
const withStore = (adapter, extra) => configuration({ adapter, session: { strategy: "jwt" }, limits: false, ...extra })

async function openMail() {
  const mailbox = openMailbox()
  const { sendVerificationRequest } = mailbox
  const provider = { id: "mail", name: "Mail", type: "email", from: "app@app.test", sendVerificationRequest }
  const auth = createAuth(withStore(memoryAdapter(), { providers: [provider] }), { env: {} })
  return mailFlowWith(auth.handle, mailbox)
}

async function openPasskeys() {
  const adapter = memoryAdapter()
  const passkey = openPasskey()
  const id = passkey.id
  const { id: userId } = await adapter.createUser({ email: signInEmail, emailVerified: new Date() })
  await adapter.linkAccount({ userId, type: "webauthn", provider: "passkey", providerAccountId: id })
  await adapter.createAuthenticator({
    ...{ userId, providerAccountId: id, counter: 0, credentialDeviceType: "multiDevice", credentialBackedUp: true },
    credentialID: Buffer.from(id, "base64url").toString("base64"),
    credentialPublicKey: passkey.publicKey.toString("base64"),
  })
  const extra = { providers: [Passkey()], experimental: { enableWebAuthn: true } }
  return passkeyFlowWith(createAuth(withStore(adapter, extra), { env: {} }).handle, passkey)
}

/** A protected route and the session endpoint. */
export async function mount(app) {
  const config = configuration()
  app.use("/auth", ExpressAuth(config))
  app.get("/me", authSession(config), requireSession({ status: 401 }), (_request, response) =>
    response.json({ email: response.locals.session.user.email }),
  )
  return { cookie: `${plainCookieName}=${await sealed(0, plainCookieName)}`, endpoint: "/auth/session" }
}
