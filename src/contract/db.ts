declare const rowType: unique symbol

/** An SQL statement with its values, and the shape of its rows as a type. */
export type Statement<Row = unknown> = {
  readonly text: string
  readonly values: readonly unknown[]
  readonly [rowType]?: Row
}

/** A connection set to one school; statements issued in one tick travel together. */
export type Db = {
  /** Every row. */
  all<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The first row, if any. */
  first<Row>(statement: Statement<Row>): Promise<Row | undefined>
  /** The only row; throws when there is none. */
  one<Row>(statement: Statement<Row>): Promise<Row>
  /** The number of rows written. */
  run(statement: Statement): Promise<number>
}

/** The database as the rooms see it. */
export type Database = {
  /** Statements for one school outside a transaction, each its own; never for two writes that belong together. */
  statements<T>(schoolId: string, work: (db: Db) => Promise<T>): Promise<T>
  /** One transaction for one school: returning commits, throwing rolls back; `now` is its instant. */
  transaction<T>(schoolId: string, work: (db: Db, now: Date) => Promise<T>): Promise<T>
  /** The rows of one statement in batches, as they were at one instant, however many they are. */
  stream<Row>(schoolId: string, statement: Statement<Row>): Promise<AsyncIterable<readonly Row[]>>
  /** Statements on the few tables that belong to no school. */
  shared: Db
}
