/**
 * What this package needs of Next, so that the repository builds without it: an installation of Next is 300 MB. It is not
 * published; applications have the types of Next itself, and `e2e/next` builds one with them.
 */
declare module "next/server.js" {
  export class NextRequest extends Request {
    readonly nextUrl: URL & { readonly basePath: string }
  }
  export type NextFetchEvent = { waitUntil(promise: Promise<unknown>): void }
}

declare module "next/server" {
  export class NextResponse extends Response {
    static next(): NextResponse
  }
  export function connection(): Promise<void>
}

declare module "next/headers" {
  export function headers(): Promise<Headers>
  export function cookies(): Promise<{
    get(name: string): { readonly value: string } | undefined
    set(name: string, value: string, options: object): unknown
  }>
}

declare module "next/navigation" {
  export function redirect(url: string): never
}
