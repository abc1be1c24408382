/** SvelteKit 2 with Svelte 5 below a base path, with sessions in tokens. */
import { answers } from "./journeys/answers.js"
import { client } from "./journeys/client.js"
import { components, runes } from "./journeys/components.js"
import { forgery } from "./journeys/forgery.js"
import { pages } from "./journeys/pages.js"
import { row } from "./journeys/world.js"

row("SvelteKit 2 with Svelte 5 below a base path", {
  base: "/app",
  overlays: ["sveltekit-app-svelte-5"],
  strategy: "jwt",
  journeys: [components, runes, client, pages, answers, forgery],
})
