/** The package signs anybody in: it does not load in production. */

/** @throws Error where `NODE_ENV` is "production". */
export function refuseProduction(): void {
  if (process.env["NODE_ENV"] !== "production") return
  throw new Error(
    '@latchkey/testing signs anybody in without a proof, so it does not run where NODE_ENV is "production". ' +
      "Import it from tests only, keep it among the devDependencies, and run the tests with another NODE_ENV, such as test.",
  )
}

// Whatever imports the package by accident fails when it starts, not when it is used.
refuseProduction()
