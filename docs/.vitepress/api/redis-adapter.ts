export * from "../../../packages/redis-adapter/dist/index.js"
