import type { TProperties } from 'typebox'
import type { IdPrefix } from '#src/kit/ids.ts'
import type { SchoolContext } from './context.ts'
import type { Db, Statement } from './db.ts'
import type { AnyContext } from './operation.ts'
import type { FieldError, Problem } from './problem.ts'
import type { ScopeName } from './scopes.ts'

/** What staff store of a category; those that form a tree have a parent. */
export type CategoryValues = {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly parent_id?: string | null
}

/** A category as it is stored. */
export type CategoryRow = CategoryValues & {
  readonly id: string
  readonly position: number
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** How categories are stored; `db/categories.ts` makes it for a table. */
export type StoredCategories = {
  /** The columns of a category `k`. */
  readonly columns: Statement
  /** The category in a path. */
  find(db: Db, schoolId: string, ref: string): Promise<CategoryRow | undefined>
  /** Some categories by their ids, in the order of their names. */
  listById(db: Db, schoolId: string, ids: readonly string[]): Promise<CategoryRow[]>
  /** Those of some categories that exist, locked so that they stay. */
  keep(db: Db, schoolId: string, ids: readonly string[]): Promise<Pick<CategoryRow, 'id' | 'name'>[]>
  /** Waits until no other transaction changes the categories of a school, and returns them in their order. */
  lock(db: Db, schoolId: string): Promise<CategoryRow[]>
  /** The first free slug among the wanted one and its alternatives; the categories are locked. */
  freeSlug(db: Db, schoolId: string, wanted: string, id: string): Promise<string>
  /** Stores a new category as the last one of its parent. */
  insert(db: Db, schoolId: string, id: string, values: CategoryValues): Promise<CategoryRow>
  /** Stores a changed category as its next revision; one that moved becomes the last one of its new parent. */
  store(db: Db, schoolId: string, id: string, values: CategoryValues): Promise<CategoryRow>
  delete(db: Db, schoolId: string, id: string): Promise<number>
  /** Puts the categories of one parent in this order; returns those that moved. */
  storeOrder(db: Db, schoolId: string, ids: readonly string[]): Promise<string[]>
}

/** The fields of a new category that a request has. */
export type NewCategoryValues = Partial<CategoryValues> & Pick<CategoryValues, 'name'>

/** What one of the operations has of its own. */
type Act = { readonly description: string; readonly example: { readonly params?: unknown; readonly body?: unknown } }

/** What left a category that is deleted: ids and fields for the audit entry, and counts for the fact. */
type Emptied = {
  readonly ids: readonly string[]
  readonly fields: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

type ViewsOf = (rows: readonly CategoryRow[]) => object[]

/** What is declared of categories. */
export type Categorised<Fields extends TProperties> = {
  /** One and several of them in the ids of operations and in the titles of shapes. */
  readonly ids: readonly [one: string, several: string]
  /** One of them, and several, in sentences. */
  readonly called: readonly [one: string, several: string]
  readonly path: `/${string}`
  readonly prefix: IdPrefix
  readonly fact: 'category' | 'post_category'
  readonly scopes: { readonly reads: ScopeName; readonly writes: ScopeName }
  readonly most: number
  readonly tooMany: Problem
  /** What staff store beside name, slug and description: the parent of categories that form a tree. */
  readonly fields: Fields
  readonly position: string
  listErrors?(all: readonly CategoryRow[], id: string | undefined, values: CategoryValues): FieldError[]
  readonly list: { readonly description: string; readPage(context: AnyContext, renderViews: ViewsOf): Promise<unknown> }
  readonly read: Act
  readonly create: Act
  readonly update: Act
  /** Takes what is in a category out of it, or refuses with one of `fails`. */
  readonly remove: Act & {
    readonly fails: readonly Problem[]
    empty(context: SchoolContext, row: CategoryRow, all: readonly CategoryRow[]): Promise<Emptied>
  }
  readonly reorder: Act & {
    readonly title: string
    readonly ordered: string
    readonly unknown: string
    readonly detail?: string
  }
}
