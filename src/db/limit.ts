import type { Db } from '#src/contract/db.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { sql } from './sql.ts'

/** A door that is counted exactly over all processes: how often within how many seconds. */
export type Door = { readonly name: string; readonly times: number; readonly seconds: number }

/** Counts one passage through a door, and sweeps away up to two windows that have ended; gives the seconds to wait when it is one too many, else 0. */
export const countPassage = async (shared: Db, door: Door, schoolId: string, who: string): Promise<number> => {
  const key = sha256(`${door.name}\n${schoolId}\n${who}`)
  const { count, wait } = await shared.one(
    sql<{ count: number; wait: number }>`
      with clock as materialized (select stoa.now() as now), swept as (
        delete from limits where key = any (array(
          select key from limits where ends_at <= (select now from clock) and key <> ${key}
          order by ends_at limit 2 for update skip locked))
      )
      insert into limits as l (key, starts_at, ends_at, count)
      values (${key}, (select now from clock), (select now from clock) + make_interval(secs => ${door.seconds}), 1)
      on conflict (key) do update set
        count = case when l.ends_at <= (select now from clock) then 1 else l.count + 1 end,
        starts_at = case when l.ends_at <= (select now from clock) then excluded.starts_at else l.starts_at end,
        ends_at = case when l.ends_at <= (select now from clock) then excluded.ends_at else l.ends_at end
      returning count, ceil(extract(epoch from ends_at - (select now from clock)))::integer as wait`,
  )
  return count > door.times ? Math.max(1, wait) : 0
}

/** Forgets what was counted for somebody at a door, after they proved to be welcome. */
export const forgetPassages = (shared: Db, door: Door, schoolId: string, who: string): Promise<number> =>
  shared.run(sql`delete from limits where key = ${sha256(`${door.name}\n${schoolId}\n${who}`)}`)

/** Takes back one passage that turned out to be welcome. */
export const returnPassage = (shared: Db, door: Door, schoolId: string, who: string): Promise<number> =>
  shared.run(sql`
    update limits set count = count - 1
    where key = ${sha256(`${door.name}\n${schoolId}\n${who}`)} and count > 0`)
