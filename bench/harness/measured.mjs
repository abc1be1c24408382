/** What a measured server tells the process that started it: first what it serves, then what its processor did so far. */
export function beMeasured(server) {
  process.send(server)
  process.on("message", () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
  process.on("disconnect", () => process.exit())
}
