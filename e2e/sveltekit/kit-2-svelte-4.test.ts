/** SvelteKit 2 with Svelte 4. */
import { actions } from "./journeys/actions.js"
import { answers } from "./journeys/answers.js"
import { client } from "./journeys/client.js"
import { components } from "./journeys/components.js"
import { pages } from "./journeys/pages.js"
import { row } from "./journeys/world.js"

row("SvelteKit 2 with Svelte 4", {
  fixture: "sveltekit-2-svelte-4",
  overlays: ["sveltekit-2-svelte-4/overlay"],
  strategy: "jwt",
  isChecked: true,
  journeys: [components, actions, client, pages, answers],
})
