import pg from 'pg'

type Connection = { describe(portal: unknown): void }

/** What a result of `pg` makes of the description of its columns: their names, the parsers of their values, and an empty row. */
type Shape = { readonly fields: unknown; readonly _parsers: unknown; readonly _prebuiltEmptyResultObject: unknown }

/** The query of `pg`, with what its types leave out: how it is sent, and what it makes of the response. */
type WireQuery = {
  name: string
  values: readonly unknown[]
  readonly _result: Shape
  _accumulateRows: unknown
  prepare(connection: Connection): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

type Config = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

const WireQuery = pg.Query as unknown as new (text: string) => WireQuery

type Place = {
  /** The columns of the results of the statements that were executed on this connection, by the names of the statements. */
  readonly shapes: Map<string, Shape>
  /** The same connection, which asks for no description. */
  readonly undescribed: Connection
}

const places = new WeakMap<Connection, Place>()

const getPlace = (connection: Connection): Place => {
  const existing = places.get(connection)
  if (existing !== undefined) return existing
  const undescribed = Object.create(connection, { describe: { value: () => undefined } }) as Connection
  const place = { shapes: new Map<string, Shape>(), undescribed }
  places.set(connection, place)
  return place
}

// PostgreSQL refuses to execute a prepared statement whose columns would be others than before ("cached plan must not change
// result type"), so that those of its first execution are those of every one.
class PreparedQuery extends WireQuery {
  #shapes: Map<string, Shape> | undefined

  // `pg` copies settings property by property.
  constructor({ name, text, values }: Config) {
    super(text)
    this.name = name
    this.values = values
  }

  override prepare(connection: Connection): void {
    const { shapes, undescribed } = getPlace(connection)
    const shape = shapes.get(this.name)
    if (shape === undefined) {
      this.#shapes = shapes
      super.prepare(connection)
      return
    }
    Object.assign(this._result, shape)
    this._accumulateRows = true
    super.prepare(undescribed)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#shapes?.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    super.handleCommandComplete(message, connection)
  }
}

type Result<Row> = { readonly rows: Row[]; readonly rowCount: number | null }

type Querying = {
  query(query: pg.Submittable, callback: (error: Error | null | undefined, result: Result<never>) => void): unknown
}

/**
 * Executes a prepared statement on a client or on a connection of a pool. Its columns are described once for each connection
 * and not at each execution, which `pg` does by itself.
 */
export const queryPrepared = <Row>(querying: pg.PoolClient | pg.Pool, config: Config): Promise<Result<Row>> =>
  new Promise<Result<Row>>((resolve, reject) => {
    const query = new PreparedQuery(config) as unknown as pg.Submittable
    ;(querying as Querying).query(query, (error, result) => (error ? reject(error) : resolve(result)))
  }).catch((error: Error) => {
    // As `pg` does for its promises: the stack says which code sent the statement.
    Error.captureStackTrace(error)
    throw error
  })
