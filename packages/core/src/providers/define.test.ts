import { describe, expect, it } from "vitest"
import { oauth, oidc } from "./define.js"

const definition = { id: "acme", name: "Acme" }

describe("defining a provider", () => {
  it("adds the type and keeps options apart [spec provider type]", () => {
    const options = { clientId: "c" }
    expect(oauth(definition, options)).toEqual({ ...definition, type: "oauth", options })
    expect(oidc(definition, options)).toEqual({ ...definition, type: "oidc", options })
    expect(oidc(definition).options).toEqual({})
  })
})
