/** Statements written once and run many times with other values. */
import type { Compilable, CompiledQuery } from "kysely"

/** A written statement that waits for its values. */
export type Prepared = (values: Readonly<Record<string, unknown>>) => CompiledQuery

/** Writes a statement; `slot(name)` stands where the value of that name will be. */
export function prepare(write: (slot: (name: string) => unknown) => Compilable): Prepared {
  const slots = new Map<unknown, string>()
  const compiled = write((name) => {
    const place = Object.freeze({ slot: name })
    slots.set(place, name)
    return place
  }).compile()
  const places = compiled.parameters.map((parameter) => ({ parameter, name: slots.get(parameter) }))
  const { sql, query, queryId } = compiled
  return (values) => ({
    sql,
    query,
    queryId,
    parameters: places.map(({ parameter, name }) => (name === undefined ? parameter : values[name])),
  })
}
