export * from "../../../packages/core/dist/jwt.js"
