/** How the components are packed: types are taken out, so that Svelte 4 reads them without a preprocessor. */
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte"

export default { preprocess: vitePreprocess({ script: true, style: false }) }
