/** What a provider says of a person: every claim may be missing and may be null, and others may stand beside them. */
import type { Profile } from "@latchkey/core/types"
import { describe, expectTypeOf, it } from "vitest"

type Text = string | null | undefined

describe("a profile's", () => {
  it("sub is a string, null or missing [spec profile sub]", () => {
    expectTypeOf<Profile["sub"]>().toEqualTypeOf<Text>()
  })
  it("id is a string, null or missing [spec profile id]", () => {
    expectTypeOf<Profile["id"]>().toEqualTypeOf<Text>()
  })
  it("name is a string, null or missing [spec profile name]", () => {
    expectTypeOf<Profile["name"]>().toEqualTypeOf<Text>()
  })
  it("given_name is a string, null or missing [spec profile given_name]", () => {
    expectTypeOf<Profile["given_name"]>().toEqualTypeOf<Text>()
  })
  it("family_name is a string, null or missing [spec profile family_name]", () => {
    expectTypeOf<Profile["family_name"]>().toEqualTypeOf<Text>()
  })
  it("middle_name is a string, null or missing [spec profile middle_name]", () => {
    expectTypeOf<Profile["middle_name"]>().toEqualTypeOf<Text>()
  })
  it("nickname is a string, null or missing [spec profile nickname]", () => {
    expectTypeOf<Profile["nickname"]>().toEqualTypeOf<Text>()
  })
  it("preferred_username is a string, null or missing [spec profile preferred_username]", () => {
    expectTypeOf<Profile["preferred_username"]>().toEqualTypeOf<Text>()
  })
  it("profile is a string, null or missing [spec profile profile]", () => {
    expectTypeOf<Profile["profile"]>().toEqualTypeOf<Text>()
  })
  it("website is a string, null or missing [spec profile website]", () => {
    expectTypeOf<Profile["website"]>().toEqualTypeOf<Text>()
  })
  it("email is a string, null or missing [spec profile email]", () => {
    expectTypeOf<Profile["email"]>().toEqualTypeOf<Text>()
  })
  it("gender is a string, null or missing [spec profile gender]", () => {
    expectTypeOf<Profile["gender"]>().toEqualTypeOf<Text>()
  })
  it("birthdate is a string, null or missing [spec profile birthdate]", () => {
    expectTypeOf<Profile["birthdate"]>().toEqualTypeOf<Text>()
  })
  it("zoneinfo is a string, null or missing [spec profile zoneinfo]", () => {
    expectTypeOf<Profile["zoneinfo"]>().toEqualTypeOf<Text>()
  })
  it("locale is a string, null or missing [spec profile locale]", () => {
    expectTypeOf<Profile["locale"]>().toEqualTypeOf<Text>()
  })
  it("phone_number is a string, null or missing [spec profile phone_number]", () => {
    expectTypeOf<Profile["phone_number"]>().toEqualTypeOf<Text>()
  })
  it("picture is whatever the provider sends [spec profile picture]", () => {
    expectTypeOf<Profile["picture"]>().toBeUnknown()
  })
  it("email_verified is true, false, null or missing [spec profile email_verified]", () => {
    expectTypeOf<Profile["email_verified"]>().toEqualTypeOf<boolean | null | undefined>()
  })
  it("updated_at is a time in any form, null or missing [spec profile updated_at]", () => {
    expectTypeOf<Profile["updated_at"]>().toEqualTypeOf<string | number | Date | null | undefined>()
  })
  it("address has six parts, each a string, null or missing [spec profile address]", () => {
    type Parts = "country" | "formatted" | "locality" | "postal_code" | "region" | "street_address"
    expectTypeOf<Profile["address"]>().toEqualTypeOf<{ [Part in Parts]?: string | null } | null | undefined>()
  })
  it("further claims are unknown until they are looked at", () => {
    expectTypeOf<Profile["https://app.test/role"]>().toBeUnknown()
    expectTypeOf<Record<never, never>>().toExtend<Profile>()
  })
})
