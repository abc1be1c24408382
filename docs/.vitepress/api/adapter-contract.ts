export * from "../../../packages/adapter-contract/dist/index.js"
