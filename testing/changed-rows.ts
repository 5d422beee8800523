import type { TestDatabase } from './database.ts'

/** Which tables committed statements touched, whether or not a row is different now. */
export type Touched = {
  read(): Promise<ReadonlySet<string>>
  /** Gives them and begins anew. */
  take(): Promise<ReadonlySet<string>>
}

/** Marks from now on which of some tables are touched, in a schema of its own that the application cannot see. */
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
  // A mark has no key, so that nobody waits for another's.
  await query(`
    create schema ${schema};
    create table ${schema}.touched (name text not null);
    create function ${schema}.touch() returns trigger language plpgsql security definer as $$
    begin
      insert into ${schema}.touched values (tg_argv[0]);
      return null;
    end $$;
    ${triggers.join(';')}`)
  const names = async (text: string) => new Set((await query<{ name: string }>(text)).map(({ name }) => name))
  return {
    read: () => names(`select distinct name from ${schema}.touched`),
    take: () => names(`delete from ${schema}.touched returning name`),
  }
}
