import type { IdPrefix } from '#src/kit/ids.ts'
import type { Db, Statement } from './db.ts'
import type { Phrase } from './language.ts'

/** A range of instants; `until` is not in it. */
export type MetricRange = { readonly from: Date; readonly until: Date }

/**
 * A row of a metric: when it happened, how much it adds, and the values of its dimensions. Money has the dimension
 * `currency`, and ids are written `prefix:uuid`. A metric of the kind `distinct` has the id of the member instead of a value.
 */
export type MetricRow = {
  readonly at: Date
  readonly value?: string
  readonly person?: string
  readonly dims: Readonly<Record<string, string>>
}

/** A person behind a row of a metric; none is ever answered. */
type PersonRow = { readonly at: Date; readonly person: string; readonly part: string | null }

/** Looks up the names of values that are ids. */
type Names = (db: Db, schoolId: string, values: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Something by which a metric can be broken down. */
export type Dimension = {
  readonly name: string
  readonly title: Phrase
  /** The prefixes of its values, where they are ids. */
  readonly prefixes?: readonly IdPrefix[]
  /** The names of its values, where there are only a few. */
  readonly labels?: Readonly<Record<string, Phrase>>
  /** Looks up the names of values that are ids. */
  readonly names?: Names
  /** Whether people can write its values, so that those of fewer than five people are not shown. */
  readonly isFolded?: true
}

/** A metric, declared by the area that owns its rows. */
export type Metric = {
  readonly name: string
  readonly title: Phrase
  readonly about: Phrase
  readonly unit: 'count' | 'money'
  /**
   * `count` and `sum` add up what happened; `gauge` is the sum of all changes until the end of a point; `distinct` counts
   * people, each once in a point.
   */
  readonly kind: 'count' | 'sum' | 'gauge' | 'distinct'
  /** With `lecturer_of`, its rows have the dimension `course`, and lecturers see those of their courses. */
  readonly who: 'staff' | 'lecturer_of'
  readonly breakdowns: readonly Dimension[]
  /** Tables with their columns of instants, as they are measured by `stoa.measure` in a migration. */
  readonly sources: readonly string[]
  /** The facts after which its quarters are rolled up. */
  readonly changes: readonly string[]
  /** The rows in a range. */
  rows(schoolId: string, range: MetricRange): Statement<MetricRow>
  /** The people behind the rows in a range, each with the value of a folded dimension. */
  people?(schoolId: string, range: MetricRange, dimension: string): Statement<PersonRow>
}

/** The value of a dimension that is an id: `prefix:uuid`. */
export const dimensionId = (prefix: IdPrefix, uuid: string): string => `${prefix}:${uuid}`

/** The prefix and the UUID of such a value. */
export const idOfDimension = (value: string): { readonly prefix: string; readonly uuid: string } => {
  const [prefix = '', uuid = ''] = value.split(':')
  return { prefix, uuid }
}

/** How to look up the names of values that are ids, from their UUIDs. */
export const namesById =
  (find: (db: Db, schoolId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>): Names =>
  async (db, schoolId, values) => {
    const named = await find(
      db,
      schoolId,
      values.map(value => idOfDimension(value).uuid),
    )
    return new Map(
      values.flatMap(value => {
        const name = named.get(idOfDimension(value).uuid)
        return name === undefined ? [] : [[value, name] as const]
      }),
    )
  }
