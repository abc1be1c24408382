/** Servers that run at the same time share nothing: as it starts, MariaDB deletes the temporary tables of its folder, whoever uses them. */
import { chownSync, existsSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { startMariadb } from "../../../../tools/servers/mariadb.js"
import { ownerNamed } from "../../../../tools/servers/server.js"

describeServer("mariadb", () => {
  it("leaves temporary tables alone that another server of the same user keeps where temporary files are kept by default", async () => {
    const table = join(tmpdir(), `#sql-temptable-${process.pid}-latchkey.MAD`)
    writeFileSync(table, "")
    onTestFinished(() => rmSync(table, { force: true }))
    const { gid, uid } = ownerNamed("mysql")
    if (uid !== undefined && gid !== undefined) chownSync(table, uid, gid)
    const server = await startMariadb()
    onTestFinished(() => server.stop())
    expect(existsSync(table)).toBe(true)
  })
})
