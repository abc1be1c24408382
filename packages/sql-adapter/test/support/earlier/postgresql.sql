create table if not exists "latchkey_migrations" ("tables" text not null, "version" integer not null, "name" text not null, constraint "latchkey_migrations_pk" primary key ("tables", "version"));

-- 1 tables
create table if not exists "users" ("id" text default (gen_random_uuid())::text not null, "name" text, "email" text, "emailVerified" timestamptz(3), "image" text, constraint "users_pk" primary key ("id"));
create table if not exists "accounts" ("id" text default (gen_random_uuid())::text not null, "userId" text not null, "type" text not null, "provider" text not null, "providerAccountId" text not null, "refresh_token" text, "access_token" text, "expires_at" bigint, "id_token" text, "scope" text, "session_state" text, "token_type" text, constraint "accounts_pk" primary key ("id"), constraint "accounts_owner" foreign key ("userId") references "users" ("id") on delete cascade);
create table if not exists "sessions" ("id" text default (gen_random_uuid())::text not null, "userId" text not null, "expires" timestamptz(3) not null, "sessionToken" text not null, constraint "sessions_pk" primary key ("id"), constraint "sessions_owner" foreign key ("userId") references "users" ("id") on delete cascade);
create table if not exists "verification_token" ("identifier" text not null, "token" text not null, "expires" timestamptz(3) not null, constraint "verification_token_pk" primary key ("identifier", "token"));
create table if not exists "authenticators" ("credentialID" text not null, "userId" text not null, "providerAccountId" text not null, "credentialPublicKey" text not null, "counter" bigint not null, "credentialDeviceType" text not null, "credentialBackedUp" boolean not null, "transports" text, constraint "authenticators_pk" primary key ("userId", "credentialID"), constraint "authenticators_owner" foreign key ("userId") references "users" ("id") on delete cascade);
insert into "latchkey_migrations" ("tables", "version", "name") values ('users', 1, 'tables');

-- 2 keys
create unique index if not exists "users_email_key" on "users" (lower("email")) where "email" <> '';
create unique index if not exists "accounts_provider_providerAccountId_key" on "accounts" ("provider", "providerAccountId");
create unique index if not exists "sessions_sessionToken_key" on "sessions" ("sessionToken");
create unique index if not exists "authenticators_credentialID_key" on "authenticators" ("credentialID");
create index if not exists "accounts_userId_idx" on "accounts" ("userId");
create index if not exists "sessions_userId_idx" on "sessions" ("userId");
create index if not exists "sessions_expires_idx" on "sessions" ("expires");
create index if not exists "verification_token_expires_idx" on "verification_token" ("expires");
insert into "latchkey_migrations" ("tables", "version", "name") values ('users', 2, 'keys');
