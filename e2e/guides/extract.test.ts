import { expect, it } from "vitest"
import { extract, variablesOf } from "./extract.js"

const page = `# Page

\`\`\`sh
npm install it
\`\`\`

\`\`\`ts title="app/[...auth].ts"
export const a = 1

export const b = 2
\`\`\`

\`\`\`json
{}
\`\`\`

\`\`\`sh title=".env"
AUTH_SECRET=x
# no variable
AUTH_GITHUB_ID=y
\`\`\`
`

it("takes out the blocks that name their file, and tells the lines of code that do not", () => {
  const { blocks, nameless } = extract(page)
  expect(blocks.map(({ file }) => file)).toEqual(["app/[...auth].ts", ".env"])
  expect(blocks[0]?.code).toBe("export const a = 1\n\nexport const b = 2\n")
  expect(nameless).toEqual([13])
})

it("reads the names of the variables of an environment file", () => {
  expect(extract(page).blocks.slice(1).flatMap(variablesOf)).toEqual(["AUTH_SECRET", "AUTH_GITHUB_ID"])
})

it("refuses a block that never ends", () => {
  expect(() => extract('```ts title="a.ts"\nexport {}\n')).toThrow("line 1 never ends")
})
