/** Express alone: a route that anybody may ask for. */
import { signInEmail } from "../harness/world.mjs"

export const name = "Express, no protection"

/** The route, unprotected. */
export function mount(app) {
  app.get("/me", (_request, response) => response.json({ email: signInEmail }))
  return { cookie: "", isOpen: true }
}
