/**
 * The applications of the matrix, for whoever brings Express and the integration: the tests bring the sources,
 * `consumer.mjs` and `consumer.cjs` what was built.
 */

/**
 * Ways to mount the handler: which majors know the syntax, the base path that results, and how it is done.
 *
 * @type {readonly import("./application.mjs").MountStyle[]}
 */
export const mountStyles = [
  { name: 'app.use("/auth")', majors: [4, 5], base: "/auth", mount: ({ app, handler }) => app.use("/auth", handler) },
  { name: 'app.use("/auth/*")', majors: [4], base: "/auth", mount: ({ app, handler }) => app.use("/auth/*", handler) },
  { name: 'app.all("/auth/*")', majors: [4], base: "/auth", mount: ({ app, handler }) => app.all("/auth/*", handler) },
  {
    name: 'app.use("/auth/*splat")',
    majors: [5],
    base: "/auth",
    mount: ({ app, handler }) => app.use("/auth/*splat", handler),
  },
  {
    name: 'app.all("/auth/*splat")',
    majors: [5],
    base: "/auth",
    mount: ({ app, handler }) => app.all("/auth/*splat", handler),
  },
  {
    name: 'app.use("/auth/{*any}")',
    majors: [5],
    base: "/auth",
    mount: ({ app, handler }) => app.use("/auth/{*any}", handler),
  },
  {
    name: 'app.all("/auth{/*any}")',
    majors: [5],
    base: "/auth",
    mount: ({ app, handler }) => app.all("/auth{/*any}", handler),
  },
  {
    name: "in a router",
    majors: [4, 5],
    base: "/api/auth",
    mount: ({ app, express, handler }) => app.use("/api", express.Router().use("/auth", handler)),
  },
  {
    name: "as a wildcard in a router",
    majors: [4, 5],
    base: "/api/auth",
    mount: ({ app, express, handler, major }) =>
      app.use("/api", express.Router().all(major === 4 ? "/auth/*" : "/auth/*splat", handler)),
  },
  {
    name: "in a router of a router",
    majors: [4, 5],
    base: "/v1/api/auth",
    mount: ({ app, express, handler }) =>
      app.use("/v1", express.Router().use("/api", express.Router().use("/auth", handler))),
  },
  {
    name: "at a nested path",
    majors: [4, 5],
    base: "/shop/account/auth",
    mount: ({ app, handler }) => app.use("/shop/account/auth", handler),
  },
  {
    name: "at a path that names an action",
    majors: [4, 5],
    base: "/session/signin",
    mount: ({ app, handler, major }) => app.use(major === 4 ? "/session/signin/*" : "/session/signin/*splat", handler),
  },
  {
    name: "behind a parameter",
    majors: [4, 5],
    base: "/acme/auth",
    mount: ({ app, handler, major }) => app.use(major === 4 ? "/:tenant/auth/*" : "/:tenant/auth/*splat", handler),
  },
  { name: "without a path", majors: [4, 5], base: "/auth", mount: ({ app, handler }) => app.use(handler) },
]

/** @type {Readonly<Record<string, (express: typeof import("express")) => readonly import("express").RequestHandler[]>>} */
const parsers = {
  json: (express) => [express.json()],
  urlencoded: (express) => [express.urlencoded({ extended: true })],
  "both parsers": (express) => [express.json(), express.urlencoded({ extended: false })],
  raw: (express) => [express.raw({ type: () => true })],
  text: (express) => [express.text({ type: () => true })],
}

/** Where a body parser stands: `before` and `after` the handler. */
export const parserPlaces = ["none", "after", ...Object.keys(parsers).map((name) => `${name} before`)]

/** @param {import("./application.mjs").Brought} brought */
function configuration({ Credentials }, { issuer, clientId, clientSecret }) {
  return {
    secret: "0123456789abcdef0123456789abcdef",
    trustHost: true,
    session: { updateAge: 0 },
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      Credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) => (password === "right" ? { id: "1", name: String(name) } : null),
      }),
      { id: "op", name: "OP", type: "oidc", issuer, clientId, clientSecret },
    ],
  }
}

/** @type {import("./application.mjs").createApplication} */
export function createApplication(brought, { major, style, parser, isProxied, op }) {
  const { latchkey } = brought
  const express = major === 4 ? brought.express4 : brought.express5
  const config = configuration(brought, op)
  const app = express()
  app.disable("x-powered-by")
  app.set("trust proxy", isProxied ? "loopback" : false)
  const before = parsers[parser.replace(" before", "")]
  if (before) app.use(...before(express))
  const found = mountStyles.find(({ name }) => name === style)
  found.mount({ app, express, handler: latchkey.ExpressAuth(config), major })
  if (parser === "after") app.use(express.json(), express.urlencoded({ extended: true }))
  app.post("/echo", (request, response) => response.json(request.body ?? null))
  app.get("/extended", (request, response, next) => {
    latchkey.getSession(request, response, config).then((session) => response.json(session), next)
  })
  app.get("/read", (request, response, next) => {
    latchkey.getSession(request, config).then((session) => response.json(session), next)
  })
  app.use(latchkey.authSession(config))
  app.get("/inside", latchkey.requireSession({ redirectTo: `${found.base}/signin` }), (_request, response) =>
    response.json(response.locals.session),
  )
  app.use((_request, response) => response.status(404).send("of the application"))
  return app
}

/** One listener for all applications: a header names the cell, and its application is made when it is first asked for. */
export function createMatrix(brought, op) {
  const applications = new Map()
  return (request, response) => {
    const cell = request.headers["x-cell"]
    if (!applications.has(cell)) applications.set(cell, createApplication(brought, { ...JSON.parse(cell), op }))
    applications.get(cell)(request, response)
  }
}
