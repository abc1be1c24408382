export * from "../../../packages/core/dist/errors.js"
