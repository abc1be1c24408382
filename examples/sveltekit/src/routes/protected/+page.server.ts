import { requireSession } from "@latchkey/sveltekit"
import type { PageServerLoad } from "./$types"

// Whoever is not signed in is sent to /signin with 303, and comes back here.
export const load: PageServerLoad = async (event) => ({ user: (await requireSession(event)).user })
