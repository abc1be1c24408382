export * from "../../../packages/react/dist/index.js"
