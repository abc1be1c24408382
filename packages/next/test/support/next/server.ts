/** Stands for `next/server`. */

/** As much of it as the package uses. */
export class NextResponse extends Response {
  static next(): Response {
    return new Response(null, { headers: { "x-middleware-next": "1" } })
  }
}

export async function connection(): Promise<void> {}
