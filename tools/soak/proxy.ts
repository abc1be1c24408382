/** What stands in front of the processes and hands requests to them in turn: nginx. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { programOf } from "../servers/programs.js"
import { freePort } from "../servers/server.js"

/** A proxy. */
export interface Front {
  readonly origin: string
  stop(): Promise<void>
}

/** Starts nginx in a temporary folder. */
export async function startNginx(ports: readonly number[]): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-nginx-"))
  const port = await freePort()
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join(" ")
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  // As another user its workers could not buffer large bodies in that folder.
  const user = process.getuid?.() === 0 ? "user root;" : ""
  const configuration = `
    ${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
    events { worker_connections 512; }
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
      upstream application { ${servers} keepalive 32; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://application; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
        }
      }
    }`
  const file = join(folder, "nginx.conf")
  writeFileSync(file, configuration)
  const child = spawn(programOf("nginx", "nginx"), ["-c", file, "-p", folder, "-e", join(folder, "error.log")], {
    stdio: "ignore",
  })
  await untilOpen(port, child)
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode === null) {
        child.kill("SIGTERM")
        await once(child, "exit")
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`)
    // Nothing runs behind it yet: any answer will do.
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (answered) return
    await pause(50)
  }
}
