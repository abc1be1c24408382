/** The types of providers, under the name that users of this package import. The providers themselves are files beside this one, made by the build. */
export * from "@latchkey/core/providers"
