import { requireSession } from "@latchkey/sveltekit"
import { fail } from "@sveltejs/kit"
import { rename } from "$lib/server/store"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = async (event) => ({ user: (await requireSession(event)).user })

export const actions: Actions = {
  default: async (event) => {
    // The form before the session: whoever sends it slowly must not act with a session that has ended meanwhile.
    const form = await event.request.formData()
    const { user } = await requireSession(event)
    const name = String(form.get("name") ?? "").trim()
    if (!user.id || !name || name.length > 80) return fail(400, { problem: "A name has between 1 and 80 characters." })
    await rename(user.id, name)
    return { saved: true }
  },
}
