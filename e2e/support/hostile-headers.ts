/** Headers of requests that want to be taken for more than they are. */

/** What opened the guards of other software: names of paths, people and programs. */
export const trustedElsewhere: readonly Readonly<Record<string, string>>[] = [
  { "x-forwarded-uri": "/auth/signin" },
  { "x-original-url": "/auth/signin", "x-rewrite-url": "/auth/signin" },
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "x-middleware-next": "1", "x-middleware-rewrite": "/" },
  { "x-user-id": "1", "x-auth-user": "1", authorization: "Bearer 1" },
  { "user-agent": "GoogleHC/1.0" },
  { "user-agent": "kube-probe/1.30" },
  { "user-agent": "ELB-HealthChecker/2.0" },
]

/** Values of `Authorization` that carry no token which could be read. */
export const oddBearers: readonly string[] = [
  "Bearer %",
  "Bearer %A",
  "Bearer %ZZ",
  "Bearer",
  "Bearer ",
  "Bearer  x",
  `Bearer ${"a".repeat(65_536)}`,
]
