export * from "../../../packages/next/dist/index.js"
