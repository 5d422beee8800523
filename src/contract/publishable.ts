import Type, { type Static, type TObject } from 'typebox'
import { toId } from '#src/kit/ids.ts'
import { isSameInstant } from '#src/kit/instant.ts'
import { Closed, Instant } from '#src/kit/shapes.ts'
import type { Caller } from './caller.ts'
import { buildFactAbout, type Effects } from './fact.ts'
import type { Phrase } from './language.ts'
import { type AnyContext, buildRouted, type Operation, type WriteContext } from './operation.ts'
import { type Problem, Refusal } from './problem.ts'
import { invalidState, refuseInvalid } from './problems.ts'
import type { Exactly } from './route.ts'
import type { ScopeName } from './scopes.ts'
import { type ArchivableName, isPlannable, type PublishableName, type Status, type StoredStatus } from './status.ts'
import { type Warning, Warnings } from './warning.ts'

type Context = WriteContext<Caller>

type Row = {
  readonly id: string
  readonly status: Status
  readonly revision: number
  readonly publish_at?: Date | null
}

/** What one of the operations of a resource has of its own. */
type Act<OwnRow, Params extends TObject> = {
  readonly description: string
  readonly example: Static<Params>
  /** Refuses what this resource alone does not allow, with one of `fails`. */
  check?(context: Context, row: OwnRow): Promise<void> | void
  readonly fails?: readonly Problem[]
}

type Publish<OwnRow, View, Params extends TObject> = Act<OwnRow, Params> & {
  /** What it does for people, in words. */
  readonly effect: Phrase
  /** Whether it would change nothing; unset: when the row is public. */
  isDone?(row: OwnRow): boolean
  /** Why a row with this status cannot be scheduled; unset: the words of all other refused statuses. */
  whyNotScheduled?(status: Status): string
  /** What a published row lacks: the response lists it as `warnings`. */
  warnings?(context: Context, view: View, row: OwnRow): Promise<Warning[]> | Warning[]
}

/** What is declared of a publishable resource. */
type Publishable<Name, OwnRow, View extends TObject, Params extends TObject, Path extends string> = {
  readonly scope: ScopeName
  readonly path: Path
  readonly params: Params & Exactly<Params, Path>
  readonly returns: View
  /** The resource in summaries, with its article, and in sentences. */
  readonly called: readonly [withArticle: string, name: string]
  lock(context: Context, ref: string): Promise<OwnRow>
  get(context: Context, ref: string): Promise<OwnRow>
  view(context: Context, row: OwnRow): Promise<Static<View>>
  readonly publish: Publish<OwnRow, Static<View>, Params>
  readonly unpublish: Act<OwnRow, Params>
  readonly archive?: Name extends ArchivableName ? Act<OwnRow, Params> : never
}

/** A change of the status: the new one, the verb of the fact, and what the fact does. */
type Move = {
  readonly to: Status
  readonly publishAt?: Date
  readonly verb: string
  readonly effects?: Effects
}

// A declaration after its types were checked.
type Checked = Publishable<ArchivableName, Row, TObject, TObject, string> & { readonly status: StoredStatus }

type View = Promise<Readonly<Record<string, unknown>>>

// Moves a locked row to another status, with its audit entry and fact.
const move = async (resource: Checked, context: Context, row: Row, { to, publishAt, verb, effects }: Move): View => {
  const { fact, prefix, named, store } = resource.status
  const { db, school, changed, record } = context
  const id = toId(prefix, row.id)
  await store(db, school.id, row.id, { status: to, publishAt })
  const stored = await resource.get(context, row.id)
  changed({ ids: [id], fields: ['status'], revision: stored.revision })
  const more = {
    ...(publishAt === undefined ? {} : { publish_at: publishAt.toISOString() }),
    ...(named === undefined || verb !== 'published' ? {} : { [named]: Reflect.get(stored, named) }),
  }
  record(buildFactAbout(`${fact}.${verb}`, id, more, effects))
  return resource.view(context, stored)
}

const lockMatching = async (resource: Checked, context: AnyContext): Promise<Row> => {
  const [param = ''] = Object.keys(resource.params.properties)
  const row = await resource.lock(context, String(context.params[param]))
  await context.requireMatch(row.revision, () => resource.view(context, row))
  return row
}

const refuse = (detail: string): never => {
  throw new Refusal(invalidState, detail)
}

const schedule = (resource: Checked, context: Context, row: Row, at: Date): View => {
  const { called, publish, status } = resource
  if (at <= context.now) refuseInvalid([{ pointer: '/at', code: 'past', message: 'is over already' }])
  if (row.status === status.planned && isSameInstant(row.publish_at, at)) return resource.view(context, row)
  if (!isPlannable(row.status))
    refuse(publish.whyNotScheduled?.(row.status) ?? `The ${called[1]} is ${row.status} and cannot become scheduled.`)
  return move(resource, context, row, { to: status.planned ?? 'scheduled', publishAt: at, verb: 'scheduled' })
}

const publishNow = (resource: Checked, context: Context, row: Row): View => {
  const { called, publish, status } = resource
  const { shown } = status
  if (publish.isDone?.(row) ?? row.status === shown) return resource.view(context, row)
  if (!isPlannable(row.status) && row.status !== shown)
    refuse(`The ${called[1]} is ${row.status} and cannot become ${shown}.`)
  return move(resource, context, row, { to: shown, verb: 'published', effects: { access: publish.effect } })
}

const title = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

const buildPublication = ([, name]: Checked['called']) =>
  Type.Object(
    { at: Type.Optional(Instant) },
    {
      additionalProperties: false,
      title: `${title(name)}Publication`,
      description: `Without an instant the ${name} is published now`,
    },
  )

const withWarnings = (view: TObject, name: string): TObject =>
  Closed(`Published${title(name)}`, { ...view.properties, warnings: Warnings })

const staff = { who: 'staff', mode: 'write', ifMatch: 'honoured' } as const

const common = ({ scope, params, returns }: Checked) => ({ ...staff, scope, params, returns })

const publishOperation = (resource: Checked, returns: TObject): Operation<ScopeName> => {
  const { called, path, publish, status } = resource
  const isPlanned = status.planned !== undefined
  return buildRouted({
    ...common(resource),
    id: `publish${status.id}`,
    route: `PUT ${path}/publication`,
    summary: `Publish ${called[0]}`,
    description: publish.description,
    ...(isPlanned ? { body: buildPublication(called) } : {}),
    returns,
    fails: [invalidState],
    example: { params: publish.example, ...(isPlanned ? { body: {} } : {}) },
    async handle(context) {
      const { at } = (context.body ?? {}) as { readonly at?: Date }
      const row = await lockMatching(resource, context)
      await publish.check?.(context, row)
      const view = await (at === undefined ? publishNow(resource, context, row) : schedule(resource, context, row, at))
      if (publish.warnings === undefined) return view
      return { ...view, warnings: await publish.warnings(context, view, row) }
    },
  })
}

const unpublishOperation = (resource: Checked): Operation<ScopeName> => {
  const { called, path, unpublish, status } = resource
  return buildRouted({
    ...common(resource),
    id: `unpublish${status.id}`,
    route: `DELETE ${path}/publication`,
    summary: `Unpublish ${called[0]}`,
    description: unpublish.description,
    fails: [...(status.isArchivable ? [invalidState] : []), ...(unpublish.fails ?? [])],
    example: { params: unpublish.example },
    async handle(context) {
      const row = await lockMatching(resource, context)
      if (row.status === 'draft' && (row.publish_at ?? null) === null) return resource.view(context, row)
      if (row.status === 'archived') refuse(`The ${called[1]} is archived; restore it from the archive first.`)
      await unpublish.check?.(context, row)
      const verb = row.status === status.planned ? 'unscheduled' : 'unpublished'
      return move(resource, context, row, { to: 'draft', verb })
    },
  })
}

const archiveOperation = (resource: Checked, archive: Act<Row, TObject>): Operation<ScopeName> => {
  const { called, path, status } = resource
  return buildRouted({
    ...common(resource),
    id: `archive${status.id}`,
    route: `PUT ${path}/archive`,
    summary: `Archive ${called[0]}`,
    description: archive.description,
    fails: [invalidState],
    example: { params: archive.example },
    async handle(context) {
      const row = await lockMatching(resource, context)
      if (row.status === 'archived') return resource.view(context, row)
      if (row.status !== status.shown) refuse(`The ${called[1]} is ${row.status} and cannot become archived.`)
      return move(resource, context, row, { to: 'archived', verb: 'archived' })
    },
  })
}

const unarchiveOperation = (resource: Checked): Operation<ScopeName> => {
  const { called, path, unpublish, status } = resource
  return buildRouted({
    ...common(resource),
    id: `unarchive${status.id}`,
    route: `DELETE ${path}/archive`,
    summary: `Unarchive ${called[0]}`,
    description: `Turns an archived ${called[1]} back into a draft.`,
    example: { params: unpublish.example },
    async handle(context) {
      const row = await lockMatching(resource, context)
      if (row.status !== 'archived') return resource.view(context, row)
      return move(resource, context, row, { to: 'draft', verb: 'unarchived' })
    },
  })
}

/**
 * The operations that change the status of a resource, in the order of the documentation: they publish it, now or at an
 * instant, make it a draft again, and archive it and restore it, where it can be archived.
 */
export const publishable = <
  Name extends PublishableName,
  OwnRow extends Row,
  View extends TObject,
  Params extends TObject,
  Path extends string,
>(
  status: StoredStatus<Name>,
  declared: Publishable<Name, OwnRow, View, Params, Path>,
) => {
  const resource = { ...declared, status } as unknown as Checked
  const { called, returns, publish, archive } = resource
  // The response of a publication.
  const published = publish.warnings === undefined ? returns : withWarnings(returns, called[1])
  return {
    operations: [
      publishOperation(resource, published),
      unpublishOperation(resource),
      ...(archive === undefined ? [] : [archiveOperation(resource, archive), unarchiveOperation(resource)]),
    ],
    published: published as TObject<View['properties'] & { warnings: typeof Warnings }>,
    /** Moves a locked row to another status, with its audit entry and fact. */
    move: (context: Context, row: OwnRow, to: Move) => move(resource, context, row, to) as Promise<Static<View>>,
  }
}
