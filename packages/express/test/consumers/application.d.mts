/** Types of the applications of the matrix. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Application, RequestHandler } from "express"

type ExpressModule = typeof import("express")

export interface Mounting {
  readonly app: Application
  readonly express: ExpressModule
  readonly handler: RequestHandler
  readonly major: 4 | 5
}

export interface MountStyle {
  readonly name: string
  readonly majors: readonly (4 | 5)[]
  readonly base: string
  mount(mounting: Mounting): unknown
}

export interface Brought {
  readonly express4: unknown
  readonly express5: unknown
  readonly latchkey: unknown
  readonly Credentials: unknown
}

export interface OpClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface Cell {
  readonly major: 4 | 5
  readonly style: string
  readonly parser: string
  readonly isProxied: boolean
}

export const mountStyles: readonly MountStyle[]
export const parserPlaces: readonly string[]
export function createApplication(brought: Brought, cell: Cell & { readonly op: OpClient }): Application
export function createMatrix(
  brought: Brought,
  op: OpClient,
): (request: IncomingMessage, response: ServerResponse) => void
