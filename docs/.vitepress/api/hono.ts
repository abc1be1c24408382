export * from "../../../packages/hono/dist/index.js"
