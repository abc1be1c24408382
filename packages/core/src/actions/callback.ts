/** `callback`: verifies what came back, admits the person, begins the session. */
import { type Arrived, arrive } from "../admission/arrive.js"
import { announceAll } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { issueCsrf, renewCsrf } from "../context/csrf.js"
import { resolveReturnTo } from "../context/return-to.js"
import { pageUrl } from "../context/urls.js"
import { pageViewOf } from "../context/wording.js"
import { InvalidProvider } from "../errors.js"
import { isPrefetch } from "../http/incoming.js"
import { empty, page, type Result, redirect } from "../http/result.js"
import type { Confirmation, Proof } from "../methods/method.js"
import { selectMethod } from "../methods/select.js"
import { confirmPage } from "../pages/email.js"
import { fromModule } from "../std/lazy.js"
import { withParams } from "../std/url.js"

const refusedRegistration = fromModule(
  () => import("./recent-sign-in.js"),
  (module) => module.refusedRegistration,
)
const warnOfProof = fromModule(
  () => import("../admission/proof-by-event.js"),
  (module) => module.warnOfProof,
)

/** Finishes a flow of any provider type. */
export async function callback(context: Context): Promise<Result> {
  const { provider, incoming } = context
  if (!provider) throw new InvalidProvider("A callback needs a provider.")
  // A prefetch must not use up a code or a link; refusing it makes the browser send the request again.
  if (incoming.isHead) return { ...empty(200), spendsNothing: true }
  if (incoming.method === "GET" && isPrefetch(incoming)) return { ...empty(503), spendsNothing: true }
  const refused = addsPasskey(context) ? await refusedRegistration(context) : undefined
  if (refused) return refused
  const finished = await selectMethod(context).finish()
  if (finished.kind === "detour") return { ...redirect(finished.goTo), spendsNothing: true }
  if (finished.kind === "confirm") return askToConfirm(context, finished)
  const arrived = await arrive(context, finished)
  if (arrived.kind === "elsewhere") return redirect(arrived.goTo)
  if (finished.afterwards) await finished.afterwards(String(arrived.login.user.id))
  await announceAll(context, arrived.events)
  if (arrived.suspects.length > 0) await warnOfProof(context, arrived, arrived.suspects)
  return redirect(await destination(context, finished, arrived), {
    cookies: [...arrived.cookies, ...(await renewCsrf(context))],
  })
}

/** Where there is a policy of accounts, a passkey that is added to a user has to meet it; the session may have aged since its options were made. */
function addsPasskey({ provider, incoming, settings }: Context): boolean {
  return (
    settings.features.accountPolicy !== undefined &&
    provider?.type === "webauthn" &&
    incoming.form["action"] === "register"
  )
}

async function destination(context: Context, proof: Proof, { login }: Arrived): Promise<string> {
  const returnTo = proof.returnTo ?? (await resolveReturnTo(context))
  const { newUser } = context.settings.pages
  return login.isNew && newUser ? withParams(pageUrl(context, newUser), { callbackUrl: returnTo }) : returnTo
}

async function askToConfirm(context: Context, { email, action, saysWrong }: Confirmation): Promise<Result> {
  // Without the token a page of another site could submit the form, and sign the visitor in as somebody else.
  const { token, cookies } = await issueCsrf(context)
  const document = await confirmPage({
    ...(await pageViewOf(context)),
    email,
    action,
    csrfToken: token,
  })
  return { ...page(document, { cookies }), spendsNothing: true, staysCounted: saysWrong }
}
