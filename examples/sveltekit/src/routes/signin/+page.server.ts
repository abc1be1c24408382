import { formAction } from "@latchkey/sveltekit"
import { signIn, signInView } from "../../auth"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = async (event) => ({ view: await signInView(event) })

export const actions: Actions = { default: formAction(signIn) }
