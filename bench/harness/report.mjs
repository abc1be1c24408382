/** Prints tables, and writes them with their charts into `docs/benchmarks.md`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const page = fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url))
const pictures = fileURLToPath(new URL("../../docs/assets/benchmarks/", import.meta.url))
const [begin, end] = ["<!-- figures -->", "<!-- end of figures -->"]

const micro = (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en"))
const times = (ratio) => `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×`

/** Prints one table. */
export function print({ title, rows }) {
  console.log(`\n${title}`)
  for (const [name, { wall, cpu, ratio, spread }] of Object.entries(rows)) {
    const figures = `${micro(wall).padStart(9)} µs  ${micro(cpu).padStart(9)} µs of the processor  ${times(ratio).padStart(8)}`
    console.log(`  ${name.padEnd(32)} ${figures}  ± ${(spread * 50).toFixed(0)} %`)
  }
}

/** Writes all tables and charts. `about` says on what they were measured. */
export function write(tables, about) {
  const text = readFileSync(page, "utf8")
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${page} was expected to hold ${begin} and ${end}`)
  mkdirSync(pictures, { recursive: true })
  for (const table of tables) writeFileSync(`${pictures}${table.id}.svg`, chart(table))
  const figures = [
    `Measured ${about}. \`npm run bench -- --write\` measures and writes all of it again.`,
    ...tables.map(section),
  ].join("\n\n")
  writeFileSync(page, `${before}${begin}\n\n${figures}\n\n${end}${after}`)
}

function section({ id, title, rows }) {
  const lines = Object.entries(rows).map(
    ([name, { wall, cpu, ratio }]) => `| ${name} | ${micro(wall)} | ${micro(cpu)} | ${times(ratio)} |`,
  )
  const [reference] = Object.keys(rows)
  return [
    `### ${title}`,
    `![${title}: times of ${reference}](assets/benchmarks/${id}.svg)`,
    [`| | µs | µs of the processor | times of ${reference} |`, "| --- | ---: | ---: | ---: |", ...lines].join("\n"),
  ].join("\n\n")
}

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Bars on a scale of powers of ten: the fastest and the slowest are often a hundred times apart. */
function chart({ title, rows }) {
  const entries = Object.entries(rows)
  const logs = entries.map(([, { wall }]) => Math.log10(wall))
  const least = Math.min(...logs) - 0.3
  const width = (log) => Math.max(2, Math.round(((log - least) / (Math.max(...logs) - least)) * 360))
  const bars = entries.map(([name, { wall }], index) => {
    const y = 40 + index * 28
    const [fill, length] = [name === "Latchkey" ? "#2563eb" : "#94a3b8", width(logs[index])]
    return [
      `<text x="212" y="${y + 14}" text-anchor="end">${escaped(name)}</text>`,
      `<rect x="220" y="${y}" width="${length}" height="20" rx="3" fill="${fill}"/>`,
      `<text x="${226 + length}" y="${y + 14}">${micro(wall)} µs</text>`,
    ].join("")
  })
  const height = 52 + entries.length * 28
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13" fill="#475569">`,
    `<title id="title">${escaped(title)}</title>`,
    `<text x="12" y="22" font-weight="600">${escaped(title)}</text>`,
    ...bars,
    `<text x="220" y="${height - 4}" font-size="11">each factor of ten has the same width</text>`,
    "</svg>\n",
  ].join("\n")
}
