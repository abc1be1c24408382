/** Models for `@auth/prisma-adapter`. */
import type { Dialect } from "./dialect.js"

/** The text of a schema file, without the datasource and the generator, which a project has. */
export function prismaSchema(dialect: Dialect): string {
  // Elsewhere a String holds any length.
  const long = dialect === "mysql" ? " @db.Text" : ""
  return `// Models of the sign-in, for @auth/prisma-adapter: put them behind the datasource and the generator.

model User {
  id             String          @id @default(cuid())
  name           String?
  // Not everybody has an address: some providers give none.
  email          String?         @unique
  emailVerified  DateTime?
  image          String?${long}
  accounts       Account[]
  sessions       Session[]
  authenticators Authenticator[]
}

model Account {
  userId            String
  type              String
  provider          String
  providerAccountId String
  refresh_token     String?${long}
  access_token      String?${long}
  expires_at        Int?
  token_type        String?
  scope             String?${long}
  id_token          String?${long}
  session_state     String?
  user              User    @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@id([provider, providerAccountId])
  @@index([userId])
}

model Session {
  sessionToken String   @id
  userId       String
  expires      DateTime
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@index([userId])
}

model VerificationToken {
  identifier String
  token      String
  expires    DateTime

  @@id([identifier, token])
}

model Authenticator {
  credentialID         String  @unique
  userId               String
  providerAccountId    String
  credentialPublicKey  String${long}
  counter              Int
  credentialDeviceType String
  credentialBackedUp   Boolean
  transports           String?
  user                 User    @relation(fields: [userId], references: [id], onDelete: Cascade)

  @@id([userId, credentialID])
}
`
}
