import type { Db } from '#src/contract/db.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { widerNetworks } from '#src/kit/net.ts'
import { sql } from './sql.ts'

/** A limit that is counted exactly over all processes: how many uses within how many seconds. */
export type Limit = { readonly name: string; readonly uses: number; readonly seconds: number }

/**
 * A limit that many share, such as everybody at a school. When it is used up, each network may do `reserve` uses more,
 * up to `most` for all together, so that a few networks cannot use it up for all others.
 */
export type SharedLimit = Limit & { readonly reserve: number; readonly most: number }

/** One use of a limit: at which school, empty for all together, and by whom. */
export type Use = { readonly limit: Limit; readonly schoolId: string; readonly who: string }

/** What came of counting: the seconds to wait when a limit is used up, else 0 and the uses that were counted. */
export type Counted = { readonly wait: number; readonly uses: readonly Use[]; readonly isBeyond?: boolean }

/** Something to be counted. */
export type Count = (shared: Db) => Promise<Counted>

const keyOf = ({ limit, schoolId, who }: Use): Buffer => sha256(`${limit.name}\n${schoolId}\n${who}`)

// What is refused is not counted, so that uses that are returned make room again. Up to two windows that have ended are
// swept away with each use.
const countOne = async (shared: Db, use: Use): Promise<number> => {
  const key = keyOf(use)
  const { uses, seconds } = use.limit
  const { counted, wait } = await shared.one(
    sql<{ counted: number; wait: number | null }>`
      with moment as materialized (select stoa.now() as t), swept as (
        delete from limits where key in (
          select key from limits where ends_at <= (select t from moment) and key <> ${key}
          limit 2 for update skip locked)
      ), counted as (
        insert into limits as l (key, starts_at, ends_at, count)
        select ${key}, t, t + make_interval(secs => ${seconds}), 1 from moment
        on conflict (key) do update set
          count = case when l.ends_at <= excluded.starts_at then 1 else l.count + 1 end,
          starts_at = case when l.ends_at <= excluded.starts_at then excluded.starts_at else l.starts_at end,
          ends_at = case when l.ends_at <= excluded.starts_at then excluded.ends_at else l.ends_at end
        where l.ends_at <= excluded.starts_at or l.count < ${uses}
        returning key
      )
      select (select count(*) from counted)::integer as counted,
        (select ceil(extract(epoch from ends_at - t))::integer from limits, moment where key = ${key}) as wait`,
  )
  return counted === 1 ? 0 : Math.max(1, wait ?? seconds)
}

/** Takes back uses that turned out to be welcome; with `since` only where the window was open at that instant. */
export const returnUses = async (shared: Db, uses: readonly Use[], since?: Date): Promise<void> => {
  await Promise.all(
    uses.map(use =>
      shared.run(sql`
        update limits set count = count - 1
        where key = ${keyOf(use)} and count > 0
          and (${since}::timestamptz is null or date_trunc('milliseconds', starts_at) <= ${since}::timestamptz)`),
    ),
  )
}

/** Forgets what was counted for somebody, after they proved to be welcome. */
export const forgetUses = async (shared: Db, uses: readonly Use[]): Promise<void> => {
  await Promise.all(uses.map(use => shared.run(sql`delete from limits where key = ${keyOf(use)}`)))
}

const inOrder = async (shared: Db, uses: readonly Use[]): Promise<Counted> => {
  for (const [index, use] of uses.entries()) {
    const wait = await countOne(shared, use)
    if (wait === 0) continue
    await returnUses(shared, uses.slice(0, index))
    return { wait, uses: [] }
  }
  return { wait: 0, uses }
}

/** The uses of a limit by a network: its own, and more of them for each wider network that it lies in. */
export const usesOfNetwork = (limit: Limit, schoolId: string, network: string, who = ''): Use[] => {
  const of = (name: string): string => (who === '' ? name : `${who}\n${name}`)
  const wider = widerNetworks(network).map(({ network: name, factor }) => ({
    limit: { ...limit, uses: limit.uses * factor },
    schoolId,
    who: of(name),
  }))
  return [{ limit, schoolId, who: of(network) }, ...wider]
}

/** Counts a use by somebody. */
export const useOf =
  (limit: Limit, schoolId: string, who: string): Count =>
  shared =>
    inOrder(shared, [{ limit, schoolId, who }])

/** Counts a use by a network, of something in particular where `who` names it. */
export const useByNetwork =
  (limit: Limit, schoolId: string, network: string, who = ''): Count =>
  shared =>
    inOrder(shared, usesOfNetwork(limit, schoolId, network, who))

/** Counts a use of a limit that many share; `isBeyond` when only the reserve of the network was left. */
export const useOfShared =
  (limit: SharedLimit, schoolId: string, network: string, who = ''): Count =>
  async shared => {
    const usual = await inOrder(shared, [{ limit, schoolId, who }])
    if (usual.wait === 0) return usual
    const reserve = { name: `${limit.name}:reserve`, uses: limit.reserve, seconds: limit.seconds }
    const most = { name: `${limit.name}:most`, uses: limit.most - limit.uses, seconds: limit.seconds }
    const more = await inOrder(shared, [
      ...usesOfNetwork(reserve, schoolId, network, who),
      { limit: most, schoolId, who },
    ])
    return { ...more, isBeyond: true }
  }

/** Counts several uses in order; the first limit that is used up refuses them all, and then none is counted. */
export const countUses = async (shared: Db, counts: readonly Count[]): Promise<Counted> => {
  const uses: Use[] = []
  let isBeyond = false
  for (const count of counts) {
    const counted = await count(shared)
    if (counted.wait > 0) {
      await returnUses(shared, uses)
      return { wait: counted.wait, uses: [] }
    }
    uses.push(...counted.uses)
    isBeyond ||= counted.isBeyond === true
  }
  return { wait: 0, uses, isBeyond }
}
