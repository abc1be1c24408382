import { expect, it } from "vitest"
import { extract, variablesOf } from "./extract.js"

const page = `# Page

\`\`\`sh
npm install it   # and nothing else
\`\`\`

\`\`\`ts
// app/[...auth].ts
export const a = 1

export const b = 2
\`\`\`

\`\`\`json [settings.json]
{}
\`\`\`

\`\`\`astro
---
// src/pages/me.astro
---
\`\`\`

\`\`\`json
{}
\`\`\`

\`\`\`sh
# .env
AUTH_SECRET=x
# no variable
AUTH_GITHUB_ID=y
\`\`\`
`

it("takes out the blocks that name their file, and tells the lines of code that do not", () => {
  const { blocks, nameless, commands } = extract(page)
  expect(blocks.map(({ file }) => file)).toEqual(["app/[...auth].ts", "settings.json", "src/pages/me.astro", ".env"])
  expect(blocks[0]?.code).toBe("// app/[...auth].ts\nexport const a = 1\n\nexport const b = 2\n")
  expect(nameless).toEqual([24])
  expect(commands).toEqual(["npm install it"])
})

it("reads the names of the variables of an environment file", () => {
  expect(extract(page).blocks.flatMap(variablesOf)).toEqual(["AUTH_SECRET", "AUTH_GITHUB_ID"])
})

it("refuses a block that never ends", () => {
  expect(() => extract("```ts\n// a.ts\nexport {}\n")).toThrow("line 1 never ends")
})
