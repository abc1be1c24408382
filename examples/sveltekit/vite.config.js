import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() })],
  // Only here, where the packages are links into the repository; installed ones need no such line.
  ssr: { external: ["@latchkey/core", "@latchkey/sql-adapter"] },
})
