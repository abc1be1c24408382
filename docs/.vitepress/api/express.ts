export * from "../../../packages/express/dist/index.js"
