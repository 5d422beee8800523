import type { TestDatabase } from './database.ts'

/** Records which tables committed statements wrote to, whether or not a row differs. */
export type Touched = {
  read(): Promise<ReadonlySet<string>>
  /** Returns the tables and clears the record. */
  take(): Promise<ReadonlySet<string>>
}

/**
 * Records writes to these tables from now on, in its own schema that the application cannot see. Views of resources, which are
 * stored seconds after the responses, then have no figures rolled up.
 */
export const watchTouched = async (
  { query }: Pick<TestDatabase, 'query'>,
  schema: string,
  tables: readonly string[],
): Promise<Touched> => {
  const triggers = tables.map(
    name => `
      create trigger ${schema}_touch after insert or update or delete on ${name}
        for each statement execute function ${schema}.touch('${name}')`,
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
