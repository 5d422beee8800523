import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { Closed } from '#src/kit/shapes.ts'
import type { Db } from './db.ts'
import { buildFactAbout } from './fact.ts'
import type { FactType } from './fact-types.ts'
import { type AnyContext, buildRouted, type ReadContext, type Who, type WriteContext } from './operation.ts'
import { type Listing, PageOf, PageQuery } from './pagination.ts'
import { type Problem, Refusal } from './problem.ts'
import { notFound } from './problems.ts'
import type { Exactly } from './route.ts'
import type { ScopeName } from './scopes.ts'

type ViewsOf = (rows: readonly object[]) => object[]

/** How the versions of a resource are stored; `db/versions.ts` makes it for a table. */
export type StoredVersions<Version> = {
  /** Answers a request for a page of the versions of a resource, the newest first. */
  readPage(request: Listing & { readonly db: Db }, ofId: string, renderViews: ViewsOf): Promise<unknown>
  /** The version of a resource with a number, or with the id of its row. */
  find(db: Db, schoolId: string, ofId: string, ref: string): Promise<Version | undefined>
}

/** What one of the operations has of its own. */
type Act = {
  readonly summary: string
  readonly description: string
  readonly example: { readonly params: Readonly<Record<string, unknown>> }
}

type Row = { readonly id: string; readonly revision: number }

/** In which fields a version differs from what a resource has, and how it becomes its newest version. */
type Restoration<OwnRow> = { readonly fields: readonly string[]; store(): Promise<OwnRow> }

type Restore<OwnRow, Version, View extends TObject> = Act & {
  readonly method: 'PUT' | 'POST'
  readonly scope: ScopeName
  readonly returns: View
  lock(context: WriteContext, ref: string): Promise<OwnRow>
  readonly fact: FactType
  /** The ids in the fact by their names, that of the resource first. */
  ids(row: OwnRow): Readonly<Record<string, string>>
  /** Refuses what this resource alone does not allow, with one of `fails`. */
  check?(row: OwnRow): void
  readonly fails?: readonly Problem[]
  compare(context: WriteContext, row: OwnRow, version: Version): Promise<Restoration<OwnRow>>
  view(context: WriteContext, row: OwnRow): Promise<Static<View>>
}

/** What is declared of a resource with versions. */
type Versioned<
  OwnRow,
  Version,
  Line extends TProperties,
  Content extends TProperties,
  View extends TObject,
  Params extends TObject,
  Path extends string,
> = {
  /** The resource in the ids of its operations: `Post` for `listPostVersions`. */
  readonly id: string
  readonly path: Path
  readonly params: Params & Exactly<Params, Path>
  /** The parameter that names a version; unset: its number. */
  readonly named?: TProperties
  readonly who: Exclude<Who, 'anyone'>
  readonly scope: ScopeName
  /** The fields of a version in lists, each a column of its row. */
  readonly line: Line
  /** The fields that a version has only where it is read alone. */
  readonly content: Content
  /** The title of the shape of a page. */
  readonly page: string
  readonly query?: TObject
  /** What is said of a version that does not exist; unset: the words of all others. */
  readonly unknown?: string
  get(context: ReadContext, ref: string): Promise<{ readonly id: string }>
  /** The fields of the content that the row does not have as they are shown. */
  renderShown?(context: ReadContext, version: Version): Promise<Partial<Static<TObject<Content>>>>
  readonly list: Act
  readonly read: Act
  readonly restore?: Restore<OwnRow, Version, View>
}

// A declaration after its types were checked.
type Checked = Versioned<Row, object, TProperties, TProperties, TObject, TObject, string>
type CheckedRestore = Restore<Row, object, TObject>

// The operations are for people who are signed in.
type Context = AnyContext & WriteContext

const byNumber = {
  number: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The number of the version' }),
}

const pickFields = ({ properties }: TObject, row: object): object =>
  Object.fromEntries(Object.keys(properties).map(name => [name, Reflect.get(row, name)]))

/**
 * The operations of the versions of a resource, in the order of the documentation: they list them, return one, and make an
 * earlier one the newest, where that is declared.
 */
export const versioned = <
  OwnRow extends Row,
  Line extends TProperties,
  Content extends TProperties,
  Version extends Readonly<Static<TObject<Line>>>,
  View extends TObject,
  Params extends TObject,
  Path extends string,
>(
  stored: StoredVersions<Version>,
  declared: Versioned<OwnRow, Version, Line, Content, View, Params, Path>,
) => {
  const resource = declared as unknown as Checked
  const { id, path, params, who, scope, list, read, restore } = resource
  const { named = byNumber, unknown = 'There is no such version.' } = resource
  const oneParams = Type.Object({ ...params.properties, ...named })
  const [ofRef = '', versionRef = ''] = Object.keys(oneParams.properties)
  const onePath = `${path}/versions/:${versionRef}`
  const line = Closed(`${id}VersionLine`, declared.line)
  const page = PageOf(line, declared.page)
  const version = Closed(`${id}Version`, { ...declared.line, ...declared.content })

  const reading = { scope, who, mode: 'read' } as const

  const getVersion = async ({ db, school, params: values }: Context, ofId: string): Promise<object> => {
    const found = await stored.find(db, school.id, ofId, String(values[versionRef]))
    if (found === undefined) throw new Refusal(notFound, unknown)
    return found
  }

  const listOperation = buildRouted({
    ...reading,
    ...list,
    id: `list${id}Versions`,
    route: `GET ${path}/versions`,
    params,
    query: resource.query ?? Type.Object(PageQuery),
    returns: page,
    async handle(context: Context) {
      const of = await resource.get(context, String(context.params[ofRef]))
      return stored.readPage(context, of.id, rows => rows.map(row => pickFields(line, row)))
    },
  })

  const readOperation = buildRouted({
    ...reading,
    ...read,
    id: `get${id}Version`,
    route: `GET ${onePath}`,
    params: oneParams,
    returns: version,
    async handle(context: Context) {
      const of = await resource.get(context, String(context.params[ofRef]))
      const found = await getVersion(context, of.id)
      return { ...pickFields(version, found), ...(await resource.renderShown?.(context, found)) }
    },
  })

  const restoreOperation = ({ summary, description, example, method, fails, ...restored }: CheckedRestore) =>
    buildRouted({
      summary,
      description,
      example,
      fails: fails ?? [],
      scope: restored.scope,
      who,
      mode: 'write',
      ifMatch: 'honoured',
      id: `restore${id}Version`,
      route: `${method} ${onePath}/restoration`,
      params: oneParams,
      returns: restored.returns,
      async handle(context: Context) {
        const { requireMatch, changed, record } = context
        const row = await restored.lock(context, String(context.params[ofRef]))
        await requireMatch(row.revision, () => restored.view(context, row))
        restored.check?.(row)
        const found = await getVersion(context, row.id)
        const { fields, store } = await restored.compare(context, row, found)
        if (fields.length === 0) return restored.view(context, row)
        const after = await store()
        const ids = restored.ids(row)
        const [id = ''] = Object.values(ids)
        changed({ ids: [id], fields, revision: after.revision })
        record(buildFactAbout(restored.fact, id, { ...ids, fields, restores: Reflect.get(found, 'number') }))
        return restored.view(context, after)
      },
    })

  return {
    operations: [listOperation, readOperation, ...(restore === undefined ? [] : [restoreOperation(restore)])],
    page,
    version,
  }
}
