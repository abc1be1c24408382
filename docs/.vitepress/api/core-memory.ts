export * from "../../../packages/core/dist/memory.js"
