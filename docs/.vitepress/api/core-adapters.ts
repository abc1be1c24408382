export * from "../../../packages/core/dist/adapters.js"
