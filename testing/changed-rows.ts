import type { TestDatabase } from './database.ts'

/** Records which tables committed statements wrote to, whether or not a row differs. */
export type Touched = {
  read(): Promise<ReadonlySet<string>>
  /** Returns the tables and clears the record. */
  take(): Promise<ReadonlySet<string>>
}

// The end of a session moves when it is used, in a buffered write that is stored at any later time.
const findUpdates = async ({ query }: Pick<TestDatabase, 'query'>, name: string): Promise<string> => {
  if (name !== 'sessions') return 'update'
  const columns = await query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'sessions'::regclass and attnum > 0 and not attisdropped and attname <> 'expires_at'`,
  )
  return `update of ${columns.map(column => column.name).join(', ')}`
}

/**
 * Records writes to these tables from now on, in its own schema that the application cannot see, without the use of sessions. Views of resources, which are
 * stored seconds after the responses, then have no figures rolled up.
 */
export const watchTouched = async (
  database: Pick<TestDatabase, 'query'>,
  schema: string,
  tables: readonly string[],
): Promise<Touched> => {
  const { query } = database
  const triggers = await Promise.all(
    tables.map(
      async name => `
      create trigger ${schema}_touch after insert or ${await findUpdates(database, name)} or delete on ${name}
        for each statement execute function ${schema}.touch('${name}')`,
    ),
  )
  // The record has no key, so that no transaction waits for another.
  await query(`
    create schema ${schema};
    create table ${schema}.touched (name text not null);
    create function ${schema}.touch() returns trigger language plpgsql security definer as $$
    begin
      insert into ${schema}.touched values (tg_argv[0]);
      return null;
    end $$;
    alter table view_counts disable trigger user;
    ${triggers.join(';')}`)
  const names = async (text: string) => new Set((await query<{ name: string }>(text)).map(({ name }) => name))
  return {
    read: () => names(`select distinct name from ${schema}.touched`),
    take: () => names(`delete from ${schema}.touched returning name`),
  }
}
