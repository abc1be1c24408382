export * from "../../../packages/sveltekit/dist/client.js"
export * from "../../../packages/sveltekit/dist/index.js"
