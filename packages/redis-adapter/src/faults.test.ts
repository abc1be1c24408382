import { describe, expect, it } from "vitest"
import { asRedisError, RedisError } from "./faults.js"

const named = (name: string): Error => new (({ [name]: class extends Error {} })[name] as ErrorConstructor)("text")

describe("asRedisError", () => {
  it.each([
    ["READONLY You can't write against a read only replica.", "read-only"],
    ["MISCONF Redis is configured to save RDB snapshots", "read-only"],
    ["OOM command not allowed when used memory > 'maxmemory'.", "out of memory"],
    ["LOADING Redis is loading the dataset in memory", "busy"],
    ["BUSY Redis is busy running a script.", "busy"],
    ["CLUSTERDOWN Hash slot not served", "unreachable"],
    ["WRONGPASS invalid username-password pair or user is disabled.", "refused"],
    ["NOPERM this user has no permissions", "refused"],
    ["ERR The user executing the script can't run this command or subcommand", "refused"],
    ["ERR syntax error", "other"],
  ])("reads %j as %s", { tags: ["threat:FD-25"] }, (message, fault) => {
    const cause = new Error(message)
    expect(asRedisError(cause)).toMatchObject({ fault, cause })
  })

  it.each([
    "SocketClosedUnexpectedlyError",
    "ConnectionTimeoutError",
    "ClientOfflineError",
    "RootNodesUnavailableError",
  ])("reads %s as unreachable", (name) => {
    expect(asRedisError(named(name)).fault).toBe("unreachable")
  })

  it.each([
    [Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }), "unreachable"],
    [Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), "unreachable"],
    [named("TimeoutError"), "timeout"],
    [named("ClientClosedError"), "closed"],
    ["a string", "other"],
    [undefined, "other"],
  ])("reads %s as %s", (thrown, fault) => {
    expect(asRedisError(thrown).fault).toBe(fault)
  })

  it("keeps its own errors, and repeats no arguments", () => {
    const own = new RedisError("busy", "text")
    expect(asRedisError(own)).toBe(own)
    const telling = new Error("ERR unknown command 'EVALSHA', with args beginning with: 'abc' '1' 'secret'")
    const { message, cause } = asRedisError(telling)
    expect(`${message} ${String(cause)} ${(cause as Error).stack}`).not.toContain("secret")
    expect(message).toContain("unknown command 'EVALSHA'")
  })
})
