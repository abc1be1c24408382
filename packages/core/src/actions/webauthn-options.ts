/** GET `webauthn-options`: what the browser needs for a ceremony. */
import type { Context } from "../context/context.js"
import { json, type Result } from "../http/result.js"
import { webauthnOptions as optionsOf } from "../methods/select.js"

/** Answers `{ action, options }` and seals the challenge into its cookie. */
export async function webauthnOptions(context: Context): Promise<Result> {
  const { body, cookies } = await optionsOf(context)
  return json(body, { cookies })
}
