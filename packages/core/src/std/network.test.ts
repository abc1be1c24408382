import { describe, expect, it } from "vitest"
import { networkOf } from "./network.js"

describe("the network of an address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    [" 203.0.113.7 ", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::9", "2001:db8:1:2"],
    ["2001:0db8:0001:0002::", "2001:db8:1:2"],
    ["2001:db8::1%eth0", "2001:db8:0:0"],
    ["[2001:db8::1]", "2001:db8:0:0"],
    ["100.63.0.1", "100.63.0.1"],
    ["172.32.0.1", "172.32.0.1"],
    ["192.169.0.1", "192.169.0.1"],
  ])("of %j is %j", { tags: ["threat:A-035"] }, (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it.each([
    undefined,
    "",
    "unknown",
    "localhost",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "1.2.3.4, 5.6.7.8",
    "::1::2",
    "1:2:3",
    "2001:db8::12345",
    "2001:db8:1:2:3:4:5:6:7",
    "2001:db8:1:2:3:4:5:6::",
  ])("is unknown for what is no address: %j", (address) => {
    expect(networkOf(address)).toBeUndefined()
  })

  it.each([
    "127.0.0.1",
    "::1",
    "::",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.1.1",
    "100.64.0.1",
    "100.127.255.255",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "ff02::1",
    "224.0.0.1",
  ])("is unknown for what a proxy of one's own has: %j", (address) => {
    expect(networkOf(address)).toBeUndefined()
  })
})
