/** Programs that are bundled and then run with nothing installed beside them. */

/** The engine: a sign-in page, a session, and passkeys without the library they need. */
export const server = `
import { createAuth } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import { memoryAdapter } from "@latchkey/core/memory"
import GitHub from "@latchkey/core/providers/github"
import Passkey from "@latchkey/core/providers/passkey"

const secret = "a secret of the bundles that is long enough"
const messages = []
const auth = createAuth(
  {
    secret,
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    trustHost: true,
    experimental: { enableWebAuthn: true },
    logger: { error: ({ message }) => void messages.push(message), warn() {}, debug() {} },
    providers: [
      GitHub({ clientId: "id", clientSecret: "secret" }),
      Passkey(),
      { id: "foreign", name: "Foreign", type: "webauthn", enableConditionalUI: false },
    ],
  },
  { env: {} },
)
// Not awaited by the module itself: Rollup lets parts that are loaded later import the entry, which would wait for them.
async function main() {
const page = await auth.handle(new Request("https://app.test/auth/signin"))
const html = await page.text()
const name = "__Secure-authjs.session-token"
const cookie = name + "=" + (await encode({ token: { name: "Ada" }, secret, salt: name }))
const { session } = await auth.session({ headers: { cookie }, url: "https://app.test/" })
const options = async (id) => {
  const answer = await auth.handle(new Request("https://app.test/auth/webauthn-options/" + id))
  return { status: answer.status, challenge: typeof (await answer.json()).options?.challenge }
}
console.log(
  JSON.stringify({
    status: page.status,
    offersGitHub: html.includes("Continue with GitHub"),
    session: session?.user?.name,
    passkey: await options("passkey"),
    foreign: await options("foreign"),
    messages,
  }),
)
}
void main()
`

/** The client: a session, and the library of passkeys, which asks for a browser. */
export const browser = `
import { createClient, getSession } from "@latchkey/core/client"

const answers = {
  "/auth/session": { user: { name: "Ada" }, expires: "x" },
  "/auth/webauthn-options/passkey?action=register": { action: "register", options: { challenge: "x" } },
}
globalThis.fetch = async (url) => Response.json(answers[url] ?? {})
const session = await getSession()
const refusal = await createClient().registerPasskey().catch(({ message }) => message)
console.log(JSON.stringify({ session: session?.user?.name, refusal }))
`
