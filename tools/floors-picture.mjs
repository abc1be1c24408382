/**
 * Draws the floors and rooms of the core from its imports, as `docs/assets/floors.svg`; with `--check` it compares the
 * picture with the imports. An arrow that others already imply (a → c beside a → b → c) is left out.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { cruise } from "dependency-cruiser"

const { floors, doors } = createRequire(import.meta.url)("../floors.cjs")
const top = fileURLToPath(new URL("../", import.meta.url))
const picture = `${top}docs/assets/floors.svg`
const sources = "packages/core/src"

const width = 900
const rowHeight = 62
const boxHeight = 30
const gap = 18
const margin = 46
/** The doors share one box, because their imports differ little. */
const doorsBox = "doors"
const rows = [[doorsBox], ...floors.toReversed()]

/** From each room to the rooms it imports from. */
async function importsOfRooms() {
  const { output } = await cruise([sources], {
    baseDir: top,
    tsPreCompilationDeps: true,
    exclude: { path: "\\.test(?:-d)?\\.ts$" },
    doNotFollow: { path: "node_modules|/dist/" },
  })
  const imports = new Map(rows.flat().map((room) => [room, new Set()]))
  for (const { source, dependencies } of output.modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [roomOf(source), roomOf(resolved)]
      if (from && to && from !== to) imports.get(from)?.add(to)
    }
  }
  return imports
}

function roomOf(path) {
  if (!path.startsWith(`${sources}/`)) return undefined
  const [first, second] = path.slice(sources.length + 1).split("/")
  if (second !== undefined) return `${first}/`
  return doors.includes(first) ? doorsBox : first
}

/** Is there a path of imports from one room to another through a third one? */
function isImplied(imports, from, to) {
  const reaches = (room) => room === to || [...(imports.get(room) ?? [])].some(reaches)
  return [...(imports.get(from) ?? [])].some((room) => room !== to && reaches(room))
}

function placeBoxes() {
  const boxes = new Map()
  for (const [row, rooms] of rows.entries()) {
    const widths = rooms.map((room) => labelOf(room).length * 8.2 + 26)
    let x = (width + margin - widths.reduce((sum, each) => sum + each + gap, -gap)) / 2
    for (const [index, room] of rooms.entries()) {
      boxes.set(room, { x, y: 22 + row * rowHeight, width: widths[index], label: labelOf(room) })
      x += widths[index] + gap
    }
  }
  return boxes
}

const labelOf = (room) => (room === doorsBox ? doors.map((name) => name.replace(/\.ts$/, "")).join("   ") : room)
const rounded = (value) => Math.round(value * 10) / 10

function draw(imports) {
  const boxes = placeBoxes()
  const arrows = [...imports].flatMap(([from, targets]) =>
    [...targets].filter((to) => !isImplied(imports, from, to)).map((to) => arrow(boxes.get(from), boxes.get(to))),
  )
  const height = rows.length * rowHeight + 12
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title what">
<title id="title">The floors of @latchkey/core</title>
<desc id="what">Rooms on ${rows.length} floors, from the doors at the top to std at the ground. Every arrow, an import, leads down.</desc>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2933 }
.floor { fill: #7b8794 }
.line { stroke: #d9e0e7 }
rect { fill: #f0f5ff; stroke: #5b7fd6 }
path { fill: none; stroke: #8a97a8; stroke-opacity: 0.75 }
marker path { fill: #8a97a8; stroke: none }
.ground { fill: #ffffff; stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e4e9f0 }
.floor { fill: #8b97a6 }
.line { stroke: #2b333e }
rect { fill: #1c2740; stroke: #7fa0ee }
path { stroke: #8592a3 }
marker path { fill: #8592a3 }
.ground { fill: #11161d }
}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="ground" width="100%" height="100%"/>
${rows.map((_, row) => floorLine(row)).join("\n")}
${arrows.join("\n")}
${[...boxes.values()].map(box).join("\n")}
</svg>
`
}

function floorLine(row) {
  const y = 22 + row * rowHeight + boxHeight / 2
  return `<path class="line" d="M${margin} ${y}H${width - 16}"/><text class="floor" x="14" y="${y + 5}">${rows.length - 1 - row}</text>`
}

function box({ x, y, width: wide, label }) {
  return `<rect x="${rounded(x)}" y="${y}" width="${rounded(wide)}" height="${boxHeight}" rx="6"/><text x="${rounded(x + wide / 2)}" y="${y + 20}" text-anchor="middle" xml:space="preserve">${label}</text>`
}

function arrow(from, to) {
  const [x1, y1] = [from.x + from.width / 2, from.y + boxHeight]
  const [x2, y2] = [to.x + to.width / 2, to.y - 1]
  const bend = (y2 - y1) / 2
  return `<path d="M${rounded(x1)} ${y1}C${rounded(x1)} ${rounded(y1 + bend)} ${rounded(x2)} ${rounded(y2 - bend)} ${rounded(x2)} ${y2}" marker-end="url(#head)"/>`
}

const drawn = draw(await importsOfRooms())
if (!process.argv.includes("--check")) writeFileSync(picture, drawn)
else if (readFileSync(picture, "utf8") !== drawn) {
  console.error("docs/assets/floors.svg is not what the imports are: run node tools/floors-picture.mjs")
  process.exitCode = 1
}
