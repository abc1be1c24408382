/** As in examples/sveltekit: one build, whose hook is chosen when it starts. */
import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() })],
  ssr: { external: ["@latchkey/core", "@auth/core"], noExternal: ["@auth/sveltekit"] },
})
