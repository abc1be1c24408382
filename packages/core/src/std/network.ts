/** Network addresses: which of them name a network that requests can be counted by. */

/**
 * The network of an address: an IPv4 address itself, also where an IPv6 address stands for one; otherwise the first 64 bits of
 * an IPv6 address (what one household or host is given, RFC 6177 §2). `undefined` for what is no address, and for loopback,
 * private, shared and link-local addresses: those are the proxy's, and everybody behind it would be one.
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const plain = withoutPort(address.trim().toLowerCase()).replace(/%.*$/, "")
  const groups = parseSix(plain)
  const four = groups ? fourIn(groups) : parseFour(plain)
  if (four !== undefined) return isOpenFour(four) ? four.join(".") : undefined
  return groups && isOpenSix(groups)
    ? groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(":")
    : undefined
}

/** Some proxies forward the port of the client as well, which is another one for each connection. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1")
}

function parseFour(text: string): readonly number[] | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined
  const parts = text.split(".").map(Number)
  return parts.every((part) => part <= 255) ? parts : undefined
}

/** RFC 1122 §3.2.1.3, RFC 1918, RFC 3927, RFC 6598. */
function isOpenFour([first = 0, second = 0]: readonly number[]): boolean {
  if (first === 0 || first === 10 || first === 127 || first >= 224) return false
  if (first === 100) return second < 64 || second > 127
  if (first === 169) return second !== 254
  if (first === 172) return second < 16 || second > 31
  return first !== 192 || second !== 168
}

/**
 * The IPv4 address that an IPv6 one stands for: mapped (RFC 4291 §2.5.5.2), translated (RFC 6052 §2.1) or of 6to4, where
 * whoever has it has 65,536 networks (RFC 3056 §2).
 */
function fourIn(groups: readonly number[]): readonly number[] | undefined {
  const front = groups.slice(0, 6).join(" ")
  if (front === mapped || front === translated) return halvesOf(groups.slice(6))
  return groups[0] === 0x2002 ? halvesOf(groups.slice(1, 3)) : undefined
}

const mapped = [0, 0, 0, 0, 0, 0xffff].join(" ")
const translated = [0x64, 0xff9b, 0, 0, 0, 0].join(" ")

function halvesOf(groups: readonly number[]): readonly number[] {
  return groups.flatMap((group) => [group >> 8, group & 255])
}

/** An IPv4 address at the end of an IPv6 one, as the two groups that it stands for. */
function groupsOfFour(text: string): string {
  const four = parseFour(text)
  if (!four) return text
  const [a = 0, b = 0, c = 0, d = 0] = four
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

/** RFC 4291 §2.2. */
function parseSix(address: string): readonly number[] | undefined {
  const text = address.replace(/(?<=:)[\d.]{7,15}$/, groupsOfFour)
  const [front = "", back, ...more] = text.split("::")
  if (more.length > 0 || !/^[\da-f:]+$/.test(text)) return undefined
  const groupsOf = (part: string): readonly string[] => (part === "" ? [] : part.split(":"))
  const [before, after] = [groupsOf(front), groupsOf(back ?? "")]
  const left = 8 - before.length - after.length
  if (back === undefined ? left !== 0 : left < 1) return undefined
  const groups = [...before, ...Array.from({ length: left }, () => "0"), ...after]
  return groups.every((group) => /^[\da-f]{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}

/** Global unicast alone (RFC 4291 §2.4): loopback, link-local, unique local (RFC 4193) and multicast lie elsewhere. */
function isOpenSix([first = 0]: readonly number[]): boolean {
  return first >= 0x2000 && first <= 0x3fff
}
