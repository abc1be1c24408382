/** Tables as another library made them: those of `@auth/pg-adapter` on PostgreSQL, and the like on MariaDB. No keys but the primary ones. */

export const foreignPostgresql: readonly string[] = [
  `create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token))`,
  `create table accounts (id serial, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text, primary key (id))`,
  `create table sessions (id serial, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null, primary key (id))`,
  `create table users (id serial, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text,
    primary key (id))`,
]

export const foreignMariadb: readonly string[] = [
  `create table verification_token (identifier varchar(255) not null, expires datetime(3) not null,
    token varchar(255) not null, primary key (identifier, token))`,
  `create table accounts (id int auto_increment primary key, userId int not null, type varchar(255) not null,
    provider varchar(255) not null, providerAccountId varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text)`,
  `create table sessions (id int auto_increment primary key, userId int not null, expires datetime(3) not null,
    sessionToken varchar(255) not null)`,
  `create table users (id int auto_increment primary key, name varchar(255), email varchar(255),
    emailVerified datetime(3), image text)`,
]
