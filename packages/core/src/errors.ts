/** Everything that can go wrong. */
export * from "./errors/auth-error.js"
export * from "./errors/configuration.js"
export * from "./errors/recognise.js"
export * from "./errors/request.js"
export * from "./errors/sign-in.js"
export * from "./errors/table.js"
