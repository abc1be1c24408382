/** SvelteKit 2 with Svelte 5, the versions of this repository, at the root of its origin. */
import { actions } from "./journeys/actions.js"
import { answers } from "./journeys/answers.js"
import { client } from "./journeys/client.js"
import { components, runes } from "./journeys/components.js"
import { forgery } from "./journeys/forgery.js"
import { pages } from "./journeys/pages.js"
import { row } from "./journeys/world.js"

row("SvelteKit 2 with Svelte 5", {
  overlays: ["sveltekit-app-svelte-5"],
  strategy: "database",
  isChecked: true,
  journeys: [components, runes, actions, client, pages, answers, forgery],
})
