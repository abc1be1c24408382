import { expect, it } from "vitest"
import { nameOfModel } from "./models.js"

it.each([
  ["fbfc3007-154e-4ecc-8c0b-6e020557d7bd", "iCloud Keychain"],
  ["bada5566-a7aa-401f-bd96-45619a55120d", "1Password"],
  ["00000000-0000-0000-0000-000000000000", undefined],
  ["constructor", undefined],
  [undefined, undefined],
])("calls the model %s %s", (model, name) => {
  expect(nameOfModel(model)).toBe(name)
})
