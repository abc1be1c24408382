import { formAction } from "@latchkey/sveltekit"
import { isAtHome } from "$lib/server/store"
import { signIn, signInView } from "../../auth"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = async (event) => ({ view: await signInView(event), isAtHome: isAtHome() })

export const actions: Actions = { default: formAction(signIn) }
