/** `npm run bench [-- --quick] [name ...]`: all measurements, each beside the peer in one run. */
import { readdir } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL(".", import.meta.url))
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const options = process.argv.includes("--quick") ? { rounds: 3, milliseconds: 60, cookies: 1000 } : {}

console.log(`Node ${process.version}; medians of interleaved rounds; microseconds per operation, lower is better`)
for (const file of (await readdir(folder)).filter((name) => name.endsWith(".bench.mjs")).sort()) {
  const name = file.replace(".bench.mjs", "")
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { run } = await import(`./${file}`)
  await run(options)
}
