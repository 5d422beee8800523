import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#src/contract/db.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { widerNetworks } from '#src/kit/net.ts'
import { sql } from './sql.ts'

/** A rate limit that is counted exactly over all processes: how many uses within how many seconds. */
export type RateLimit = { readonly name: string; readonly uses: number; readonly seconds: number }

/**
 * A limit that many share, such as all members of a school. When it is used up, each network gets `reserve` more uses,
 * up to `most` in total, so that a few networks cannot use it up for all others.
 */
export type SharedRateLimit = RateLimit & { readonly reserve: number; readonly most: number }

/** One use of a limit: the school, empty for all schools together, and the user of the limit. */
export type LimitUse = { readonly limit: RateLimit; readonly schoolId: string; readonly who: string }

/** The result of counting: the seconds to wait when a limit is used up, else 0 and the uses that were counted. */
export type LimitResult = { readonly wait: number; readonly uses: readonly LimitUse[]; readonly isBeyond?: boolean }

const hashKey = ({ limit, schoolId, who }: LimitUse): Buffer => sha256(`${limit.name}\n${schoolId}\n${who}`)

type Outcome = { readonly counted: readonly Buffer[]; readonly wait: number | null }

// Counts all uses or, if one of the limits is used up, none. Each statement deletes up to two windows that have ended.
const countInOne = (shared: Db, uses: readonly LimitUse[]): Promise<Outcome> => {
  const keys = uses.map(hashKey)
  return shared.one(
    sql<Outcome>`
      with clock as materialized (select stoa.now() as now), wanted as materialized (
        select * from unnest(${keys}::bytea[], ${uses.map(({ limit }) => limit.uses)}::integer[],
          ${uses.map(({ limit }) => limit.seconds)}::integer[]) as w (key, uses, seconds)
      ), used_up as materialized (
        select l.ends_at from wanted w
        cross join lateral (
          select * from limits where key >= w.key and key <= w.key order by key limit 1) as l
        where l.ends_at > (select now from clock) and l.count >= w.uses
      ), swept as (
        delete from limits where key = any (array(
          select key from limits where ends_at <= (select now from clock) and key <> all (${keys}::bytea[])
          order by ends_at limit 2 for update skip locked))
      ), counted as (
        insert into limits as l (key, starts_at, ends_at, count)
        select key, now, now + make_interval(secs => seconds), 1 from wanted, clock
        where not exists (select from used_up) order by key
        on conflict (key) do update set
          count = case when l.ends_at <= excluded.starts_at then 1 else l.count + 1 end,
          starts_at = case when l.ends_at <= excluded.starts_at then excluded.starts_at else l.starts_at end,
          ends_at = case when l.ends_at <= excluded.starts_at then excluded.ends_at else l.ends_at end
        where l.ends_at <= excluded.starts_at or l.count < (select w.uses from wanted w where w.key = l.key)
        returning key
      )
      select coalesce((select array_agg(key) from counted), '{}') as counted,
        (select ceil(extract(epoch from max(ends_at) - (select now from clock)))::integer from used_up) as wait`,
  )
}

/** Refunds uses that were legitimate; with `since` only where the window was open at that instant. */
export const refundUses = async (shared: Db, uses: readonly LimitUse[], since?: Date): Promise<void> => {
  await Promise.all(
    uses.map(use =>
      shared
        .run(sql`
        update limits set count = count - 1
        where key = ${hashKey(use)} and count > 0
          and (${since}::timestamptz is null or date_trunc('milliseconds', starts_at) <= ${since}::timestamptz)`)
        // The request itself succeeded; a failure to refund must not fail it.
        .catch(() => undefined),
    ),
  )
}

/** Resets limits after a legitimate use. */
export const resetUses = async (shared: Db, uses: readonly LimitUse[]): Promise<void> => {
  await Promise.all(uses.map(use => shared.run(sql`delete from limits where key = ${hashKey(use)}`)))
}

const ATTEMPTS = 5

// Refused uses are not counted, so refunded uses can be used again.
const countTogether = async (shared: Db, uses: readonly LimitUse[]): Promise<LimitResult> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { counted, wait } = await countInOne(shared, uses)
    if (counted.length === uses.length) return { wait: 0, uses }
    // Another statement took the last use after this one began; the next one sees it.
    await refundUses(
      shared,
      uses.filter(use => counted.some(key => key.equals(hashKey(use)))),
    )
    if (wait !== null) return { wait: Math.max(1, wait), uses: [] }
  }
  return { wait: 1, uses: [] }
}

/**
 * The uses of a limit by a network: one for itself, and one for each wider network that contains it, with a higher
 * limit.
 */
export const usesOfNetwork = (limit: RateLimit, schoolId: string, network: string, who = ''): LimitUse[] => {
  const of = (name: string): string => (who === '' ? name : `${who}\n${name}`)
  const wider = widerNetworks(network).map(({ network: name, factor }) => ({
    limit: { ...limit, uses: limit.uses * factor },
    schoolId,
    who: of(name),
  }))
  return [{ limit, schoolId, who: of(network) }, ...wider]
}

/** Uses to count, and optionally the uses of the reserve when a shared limit is used up. */
export type LimitRequest = { readonly uses: readonly LimitUse[]; readonly beyond?: readonly LimitUse[] }

/** A use by somebody. */
export const buildUse = (limit: RateLimit, schoolId: string, who: string): LimitRequest => ({
  uses: [{ limit, schoolId, who }],
})

/** A use by a network; `who` narrows it further. */
export const useByNetwork = (limit: RateLimit, schoolId: string, network: string, who = ''): LimitRequest => ({
  uses: usesOfNetwork(limit, schoolId, network, who),
})

/** A use of a shared limit, with the reserve of the network for when it is used up. */
export const useOfShared = (limit: SharedRateLimit, schoolId: string, network: string, who = ''): LimitRequest => {
  const reserve = { name: `${limit.name}:reserve`, uses: limit.reserve, seconds: limit.seconds }
  const most = { name: `${limit.name}:most`, uses: limit.most - limit.uses, seconds: limit.seconds }
  return {
    uses: [{ limit, schoolId, who }],
    beyond: [...usesOfNetwork(reserve, schoolId, network, who), { limit: most, schoolId, who }],
  }
}

/**
 * Counts uses of several limits, or none when one of them is used up. When a shared limit is used up, the reserve is
 * counted instead, and `isBeyond` is set.
 */
export const consume = async (shared: Db, counts: readonly LimitRequest[]): Promise<LimitResult> => {
  const usual = await countTogether(
    shared,
    counts.flatMap(({ uses }) => uses),
  )
  if (usual.wait === 0 || counts.every(({ beyond }) => beyond === undefined)) return usual
  const more = await countTogether(
    shared,
    counts.flatMap(({ uses, beyond }) => beyond ?? uses),
  )
  return { ...more, isBeyond: true }
}

// How long to wait between two tries, in milliseconds.
const PAUSES = [100, 200, 300, 600, 800]

/**
 * Counts like `consume`, for uses that are counted before it is known whether they will be given back: when a limit is
 * used up, it tries again for two seconds, since many of them may be in progress.
 */
export const consumePatiently = async (shared: Db, counts: readonly LimitRequest[]): Promise<LimitResult> => {
  let result = await consume(shared, counts)
  for (const milliseconds of PAUSES) {
    if (result.wait === 0) return result
    await pause(milliseconds)
    result = await consume(shared, counts)
  }
  return result
}
