/** The structure of tables as the database reports it: columns, and what is unique. Names of keys and indices do not count. */
import type { Place } from "./shared-tables.data.js"

interface Database {
  rows<T = Record<string, unknown>>(statement: string): Promise<T[]>
}

const questions: Readonly<Record<Place, readonly string[]>> = {
  postgresql: [
    `select table_name, column_name, data_type, character_maximum_length, datetime_precision, is_nullable
      from information_schema.columns where table_schema = 'public' order by 1, 2`,
    `select i.indrelid::regclass::text as "table", array_agg(a.attname order by a.attname)::text as columns
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indisunique and i.indrelid::regclass::text !~ '^pg_' group by i.indexrelid, i.indrelid order by 1, 2`,
    `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as reference
      from pg_constraint where contype = 'f' order by 1, 2`,
  ],
  mariadb: [
    `select table_name, column_name, column_type, is_nullable, collation_name
      from information_schema.columns where table_schema = database() order by 1, 2`,
    `select table_name, columns from (
      select table_name, group_concat(column_name order by column_name) as columns
      from information_schema.statistics where table_schema = database() and non_unique = 0
      group by table_name, index_name) as keys_found order by 1, 2`,
    `select table_name, referenced_table_name, delete_rule, update_rule
      from information_schema.referential_constraints where constraint_schema = database() order by 1, 2`,
  ],
  sqlite: [
    `select t.name as "table", c.name, lower(c.type) as type, c."notnull" or c.pk > 0 as required
      from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%' order by 1, 2`,
    `select t.name as "table", group_concat(distinct c.name) as columns
      from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
      where t.type = 'table' and i."unique" = 1 group by t.name, i.name order by 1, 2`,
    `select t.name as "table", f."table" as owner, f.on_delete, f.on_update
      from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table' order by 1, 2`,
  ],
}

/** Answers rows that are the same for the same tables. */
export async function structureOf(place: Place, database: Database): Promise<unknown> {
  const answers: unknown[] = []
  for (const question of questions[place]) answers.push(await database.rows(question))
  return answers
}
