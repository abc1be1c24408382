/** What `wrangler` makes of its file: the configuration of workerd. */

/** A worker, and what it is bound to. */
export interface Worker {
  readonly name: string
  /** Its module, beside the configuration. */
  readonly file: string
  readonly date?: string
  readonly flags?: readonly string[]
  readonly texts?: Readonly<Record<string, string>>
  /** Other workers it can call, by the name it calls them. */
  readonly services?: Readonly<Record<string, string>>
}

/** The configuration with these workers, the first of them behind the socket `http`. All may reach this machine. */
export function workerdConfig(workers: readonly [Worker, ...Worker[]]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${workers.map(serviceOf).join(",\n    ")},
    (name = "internet", network = (allow = ["public", "private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = ${quoted(workers[0].name)})]
);
`
}

function serviceOf({ name, file, date = "2026-01-01", flags = [], texts = {}, services = {} }: Worker): string {
  const bindings = [
    ...Object.entries(texts).map(([key, text]) => `(name = ${quoted(key)}, text = ${quoted(text)})`),
    ...Object.entries(services).map(([key, service]) => `(name = ${quoted(key)}, service = ${quoted(service)})`),
  ]
  const members = [
    `modules = [(name = ${quoted(file)}, esModule = embed ${quoted(file)})]`,
    `compatibilityDate = ${quoted(date)}`,
    `compatibilityFlags = [${flags.map(quoted).join(", ")}]`,
    `bindings = [${bindings.join(", ")}]`,
  ]
  return `(name = ${quoted(name)}, worker = (${members.join(", ")}))`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
