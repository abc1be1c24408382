import { expect, it } from "vitest"
import { english } from "../../texts/wording.js"
import { deviceOf } from "./device.js"

const windows =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"

it.each([
  [windows, "Chrome on Windows"],
  [`${windows} Edg/140.0.0.0`, "Microsoft Edge on Windows"],
  [`${windows} OPR/120.0.0.0`, "Opera on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  ["Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36", "Chrome on ChromeOS"],
  ["App/1.0 (Windows NT 10.0)", "Windows"],
  ["curl/8.0", undefined],
  ["<script>alert(1)</script>", undefined],
  [`Firefox/1 ${"x".repeat(512)}`, undefined],
  [null, undefined],
])("reads %j as %j", (userAgent, device) => {
  expect(deviceOf(userAgent, english)).toBe(device)
})
