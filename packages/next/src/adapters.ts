/** The interface of data layers, under the name that users of this package import. */
export * from "@latchkey/core/adapters"
