declare const rowType: unique symbol

/** An SQL statement with its values, and the shape of its rows as a type. */
export type Statement<Row = unknown> = {
  readonly text: string
  readonly values: readonly unknown[]
  readonly [rowType]?: Row
}

/** Values as the row of a resource has them: with its revision, and when it was created and changed. */
export type Recorded<Values = unknown> = Values & {
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
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

/** The database as areas use it. */
export type Database = {
  /** Runs statements for one school, each on its own; two writes that belong together need a transaction. */
  statements<T>(schoolId: string, run: (db: Db) => Promise<T>): Promise<T>
  /** Runs one transaction for one school: returning commits, throwing rolls back; `now` is its instant. */
  transaction<T>(schoolId: string, run: (db: Db, now: Date) => Promise<T>): Promise<T>
  /** Reads the rows of one statement in batches, all as of one instant. */
  stream<Row>(schoolId: string, statement: Statement<Row>): Promise<AsyncIterable<readonly Row[]>>
  /** Statements on the few tables that belong to no school. */
  shared: Db
  /** When this process last wrote something of a school, on the clock of `performance.now()`. */
  writtenAt(schoolId: string): number
}
