import { defineConfig, mergeConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { shared } from "../../vitest.config.js"

/** Tests of one file come first: they are quick, notice most, and after the first that fails no other is run. */
class OfOneFileFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

const placeOf = ({ moduleId }: TestSpecification): number =>
  ["/src/", "/test/"].findIndex((part) => moduleId.includes(part))

/**
 * The tests of one area: run.mjs names them. StrykerJS 9.6.1 has an option for that as well, `testFiles`, but with it
 * changes of constants at module level never take effect. The runner starts a thread for each change, and there the files
 * follow each other: what a module keeps is as fresh as with a thread for each file, and the sources are loaded once.
 */
const include: string[] = JSON.parse(process.env["STRYKER_AREA_TESTS"] ?? "[]")

export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    test: {
      include,
      isolate: false,
      setupFiles: ["tools/stryker/load-sources.ts"],
      sequence: { sequencer: OfOneFileFirst },
    },
  }),
)
