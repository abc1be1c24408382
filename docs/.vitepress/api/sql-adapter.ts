export * from "../../../packages/sql-adapter/dist/index.js"
