export * from "../../../packages/core/dist/client.js"
