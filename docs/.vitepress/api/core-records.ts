export * from "../../../packages/core/dist/records.js"
