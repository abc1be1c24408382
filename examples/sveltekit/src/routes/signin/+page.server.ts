import { formAction } from "@latchkey/sveltekit"
import { buttons, signIn } from "../../auth"
import type { Actions, PageServerLoad } from "./$types"

export const load: PageServerLoad = () => ({ buttons: buttons() })

export const actions: Actions = { default: formAction(signIn) }
