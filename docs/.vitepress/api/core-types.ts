export * from "../../../packages/core/dist/types.js"
