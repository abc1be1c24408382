/** The package signs anybody in: it does not load in production. */

/** Ways to write it: `set NODE_ENV=production && node …` of Windows leaves a space at the end. */
const production = /^\s*(?:prod|production)\s*$/i

/** @throws Error where `NODE_ENV` is "production", in any spelling. */
export function refuseProduction(): void {
  const mode = process.env["NODE_ENV"]
  if (mode === undefined || !production.test(mode)) return
  throw new Error(
    `@latchkey/testing signs anybody in without a proof, so it does not run where NODE_ENV is ${JSON.stringify(mode)}. ` +
      "Import it from tests only, keep it among the devDependencies, and run the tests with another NODE_ENV, such as test.",
  )
}

// Whatever imports the package by accident fails when it starts, not when it is used.
refuseProduction()
