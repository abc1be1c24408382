/** Set up in each thread of the tests: a native addon is refused there, with what to do. */
import process from "node:process"

process.dlopen = (_module: object, file: string): never => {
  throw new Error(
    `A test in a thread loads the native addon ${file}, which could end the whole run. Add the test to \`loadingAddons\` in vitest.config.ts.`,
  )
}
