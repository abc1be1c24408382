create table if not exists `latchkey_migrations` (`tables` varchar(64) not null, `version` integer not null, `name` varchar(64) not null, constraint `latchkey_migrations_pk` primary key (`tables`, `version`)) engine = InnoDB default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/;

-- 1 tables
create table if not exists `users` (`id` varchar(128) not null, `name` mediumtext, `email` varchar(640), `emailVerified` datetime(3), `image` mediumtext, constraint `users_pk` primary key (`id`)) engine = InnoDB default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/;
create table if not exists `accounts` (`id` varchar(128) not null, `userId` varchar(128) not null, `type` varchar(64) not null, `provider` varchar(320) not null, `providerAccountId` varchar(448) not null, `refresh_token` mediumtext, `access_token` mediumtext, `expires_at` bigint, `id_token` mediumtext, `scope` mediumtext, `session_state` mediumtext, `token_type` mediumtext, constraint `accounts_pk` primary key (`id`), constraint `accounts_owner` foreign key (`userId`) references `users` (`id`) on delete cascade) engine = InnoDB default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/;
create table if not exists `sessions` (`id` varchar(128) not null, `userId` varchar(128) not null, `expires` datetime(3) not null, `sessionToken` varchar(640) not null, constraint `sessions_pk` primary key (`id`), constraint `sessions_owner` foreign key (`userId`) references `users` (`id`) on delete cascade) engine = InnoDB default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/;
create table if not exists `verification_token` (`identifier` varchar(384) not null, `token` varchar(384) not null, `expires` datetime(3) not null, constraint `verification_token_pk` primary key (`identifier`, `token`)) engine = InnoDB default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/;
create table if not exists `authenticators` (`credentialID` varchar(640) not null, `userId` varchar(128) not null, `providerAccountId` mediumtext not null, `credentialPublicKey` mediumtext not null, `counter` bigint not null, `credentialDeviceType` mediumtext not null, `credentialBackedUp` boolean not null, `transports` mediumtext, constraint `authenticators_pk` primary key (`userId`, `credentialID`), constraint `authenticators_owner` foreign key (`userId`) references `users` (`id`) on delete cascade) engine = InnoDB default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/;
insert into `latchkey_migrations` (`tables`, `version`, `name`) values ('users', 1, 'tables');

-- 2 keys
alter table `users` add column `latchkey_address` varchar(640) character set utf8mb4 collate /*!80017 utf8mb4_0900_bin*/ /*M!100202 utf8mb4_nopad_bin*/ generated always as (nullif(lower(`email`), '')) virtual, add unique index `users_email_key` (`latchkey_address`);
create unique index `accounts_provider_providerAccountId_key` on `accounts` (`provider`, `providerAccountId`);
create unique index `sessions_sessionToken_key` on `sessions` (`sessionToken`);
create unique index `authenticators_credentialID_key` on `authenticators` (`credentialID`);
create index `accounts_userId_idx` on `accounts` (`userId`);
create index `sessions_userId_idx` on `sessions` (`userId`);
create index `sessions_expires_idx` on `sessions` (`expires`);
create index `verification_token_expires_idx` on `verification_token` (`expires`);
insert into `latchkey_migrations` (`tables`, `version`, `name`) values ('users', 2, 'keys');
