/** The smoke test in a process: the token comes as the argument, the report goes to the output as JSON. */
import { smoke } from "./smoke.js"

interface Host {
  readonly process: { readonly argv: readonly string[] }
}

const { argv } = (globalThis as unknown as Host).process
console.log(JSON.stringify(await smoke(argv[2] ?? "")))
