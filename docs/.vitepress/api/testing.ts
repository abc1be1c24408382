export * from "../../../packages/testing/dist/index.js"
