import { requireSession } from "@latchkey/sveltekit"
import { fail } from "@sveltejs/kit"
import { rename } from "$lib/server/store"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = async (event) => ({ user: (await requireSession(event)).user })

export const actions: Actions = {
  default: async (event) => {
    const { user } = await requireSession(event)
    const name = String((await event.request.formData()).get("name") ?? "").trim()
    if (!user.email || !name || name.length > 80)
      return fail(400, { problem: "A name has between 1 and 80 characters." })
    await rename(user.email, name)
    return { saved: true }
  },
}
