/** GET `webauthn-options`: what the browser needs for a ceremony. */
import type { Context } from "../context/context.js"
import { json, type Result } from "../http/result.js"
import { webauthnOptions as optionsOf } from "../methods/select.js"
import { fromModule } from "../std/lazy.js"

const refusedRegistration = fromModule(
  () => import("./recent-sign-in.js"),
  (module) => module.refusedRegistration,
)

/** Answers `{ action, options }` and seals the challenge into its cookie. */
export async function webauthnOptions(context: Context): Promise<Result> {
  const { incoming, settings } = context
  const isChecked = settings.features.accountPolicy !== undefined && incoming.query["action"] === "register"
  const refused = isChecked ? await refusedRegistration(context) : undefined
  if (refused) return refused
  const { body, cookies } = await optionsOf(context)
  return json(body, { cookies })
}
