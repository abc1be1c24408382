/** What the tables hold, as data. Dialects say with which types; migrations say in which order it came to be. */
import type { Member, TableKey } from "./names.js"

/** What a column holds, whatever type the database gives it. */
export type ColumnKind = "id" | "text" | "time" | "integer" | "boolean"

/** One column. */
export interface ColumnPlan {
  readonly kind: ColumnKind
  /** Not null. */
  readonly required?: boolean
  /** Points at `users.id`; goes when the user goes. */
  readonly ownedByUser?: boolean
  /** Holds any JSON value, of which most are texts. */
  readonly json?: boolean
  /** Characters, for databases whose keys cannot hold any length. Keys of several columns share the room. */
  readonly length?: number
}

type Plan = { readonly [T in TableKey]: { readonly [M in Member<T>]: ColumnPlan } }

const text: ColumnPlan = { kind: "text" }
const requiredText: ColumnPlan = { kind: "text", required: true }
const keyText = (length: number): ColumnPlan => ({ kind: "text", required: true, length })
const owner: ColumnPlan = { kind: "id", required: true, ownedByUser: true }

// biome-ignore format: a table, each row stays on one line
/** The columns of every table. */
export const schema: Plan = {
  users: {
    id:            { kind: "id", required: true },
    name:          text,
    email:         { kind: "text", length: 640 },
    emailVerified: { kind: "time" },
    image:         text,
  },
  accounts: {
    id:                { kind: "id", required: true },
    userId:            owner,
    type:              keyText(64),
    provider:          keyText(320),
    providerAccountId: keyText(448),
    refresh_token:     text,
    access_token:      text,
    expires_at:        { kind: "integer" },
    id_token:          text,
    scope:             text,
    session_state:     { kind: "text", json: true },
    token_type:        text,
  },
  sessions: {
    id:           { kind: "id", required: true },
    userId:       owner,
    expires:      { kind: "time", required: true },
    sessionToken: keyText(640),
  },
  verificationTokens: {
    identifier: keyText(384),
    token:      keyText(384),
    expires:    { kind: "time", required: true },
  },
  authenticators: {
    credentialID:         keyText(640),
    userId:               owner,
    providerAccountId:    requiredText,
    credentialPublicKey:  requiredText,
    counter:              { kind: "integer", required: true },
    credentialDeviceType: requiredText,
    credentialBackedUp:   { kind: "boolean", required: true },
    transports:           text,
  },
}

/** The members that together name a row, besides a single `id`. */
export const primaryKeys: Readonly<Record<TableKey, readonly string[]>> = {
  users: ["id"],
  accounts: ["id"],
  sessions: ["id"],
  verificationTokens: ["identifier", "token"],
  authenticators: ["credentialID"],
}

/** Keys no two rows may share. The address is a case of its own: see the dialects. */
export const uniqueKeys: readonly { readonly table: TableKey; readonly members: readonly string[] }[] = [
  { table: "accounts", members: ["provider", "providerAccountId"] },
  { table: "sessions", members: ["sessionToken"] },
  { table: "authenticators", members: ["credentialID"] },
]

/** Further look-ups: by owner when a user goes or is listed, by end when ended rows are removed, links by both values. */
export const indices: readonly { readonly table: TableKey; readonly members: readonly string[] }[] = [
  { table: "accounts", members: ["userId"] },
  { table: "sessions", members: ["userId"] },
  { table: "sessions", members: ["expires"] },
  { table: "verificationTokens", members: ["identifier", "token"] },
  { table: "verificationTokens", members: ["expires"] },
  { table: "authenticators", members: ["userId"] },
]
