/** SvelteKit 3, below a base path, on the Node it asks for. */
import { actions } from "./journeys/actions.js"
import { answers } from "./journeys/answers.js"
import { client } from "./journeys/client.js"
import { components, runes } from "./journeys/components.js"
import { forgery } from "./journeys/forgery.js"
import { pages } from "./journeys/pages.js"
import { row } from "./journeys/world.js"

row("SvelteKit 3 below a base path", {
  fixture: "sveltekit-3",
  base: "/app",
  overlays: ["sveltekit-app-svelte-5", "sveltekit-3/overlay"],
  strategy: "database",
  isChecked: true,
  journeys: [components, runes, actions, client, pages, answers, forgery],
})
