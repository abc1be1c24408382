/** The answer of the service where there is no configuration to answer with. */

/** Logs why, and answers with 500, or 503 when it may pass. */
export function unavailable(error: unknown): Response {
  // Without a configuration there is no logger of the application either.
  console.error("[auth][error]", error)
  const isPassing = (error as { status?: unknown } | undefined)?.status === 503
  const message = isPassing
    ? "The server configuration was not ready in time. Try again."
    : "There is a problem with the server configuration. The server log says which."
  return Response.json(
    { error: "Configuration", message },
    {
      status: isPassing ? 503 : 500,
      headers: { "cache-control": "private, no-store", ...(isPassing && { "retry-after": "5" }) },
    },
  )
}
