import Type, { type Static, type TObject } from 'typebox'
import type { Caller } from '#src/contract/caller.ts'
import { type Example, exampleFrom } from '#src/contract/example.ts'
import { buildFactAbout, type Effects } from '#src/contract/fact.ts'
import { type AnyContext, buildRouted, type Who, type WriteContext } from '#src/contract/operation.ts'
import { type Problem, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Exactly } from '#src/contract/route.ts'
import type { ScopeName } from '#src/contract/scopes.ts'
import { isUuid } from '#src/kit/ids.ts'
import { Id } from '#src/kit/shapes.ts'
import { texts } from '#src/texts/index.ts'
import { dropFromBin, takeFromBin } from './queries.ts'
import { type BinKind, binId, binKinds } from './rules.ts'

type Context = WriteContext<Caller>

/** What is declared of things that are kept in the bin. */
type Binnable<OwnRow, View extends TObject, Body extends TObject, Params extends TObject, Path extends string> = {
  /** The thing in the ids of the operations: `Course` for `restoreCourse`. */
  readonly id: string
  /** The thing in summaries with its article, and in sentences. */
  readonly called: readonly [withArticle: string, name: string]
  readonly who: Exclude<Who, 'anyone'>
  readonly scope: ScopeName
  readonly path: Path
  readonly params: Params & Exactly<Params, Path>
  readonly returns: View
  /** What a restoration may change, where the thing cannot come back as it was. */
  readonly body: Body
  readonly fails: readonly Problem[]
  /** What the description of the restoration says beyond what it says of all things. */
  readonly about: string
  readonly example: Example<Static<Params>>
  /** Whether the caller may restore the thing if it is in the bin; unset: staff, who alone call the operations, may. */
  isOpenTo?(context: Context, id: string): Promise<boolean>
  /** Restores a thing that was taken out of the bin, with the paths that led to it. */
  restore(
    context: Context,
    id: string,
    input: { readonly body: Static<Body>; readonly paths: readonly string[] },
  ): Promise<void>
  /** The thing as the caller may change it. */
  get(context: Context, ref: string): Promise<OwnRow>
  view(context: Context, row: OwnRow): Promise<Static<View>>
  /** Deletes what nothing but the thing needs, once it is out of the bin. */
  end?(context: Context, id: string): Promise<void>
}

// A declaration after its types were checked.
type Checked = Binnable<{ readonly id: string; readonly revision: number }, TObject, TObject, TObject, string>

// People who are signed in delete and restore.
type Writing = AnyContext & WriteContext

const { restored, purged } = texts.school.bin

const record = (
  context: Context,
  kind: BinKind,
  id: string,
  verb: string,
  effects: Effects,
  revision?: number,
): void => {
  const wire = binId({ kind, id })
  context.changed({
    ids: [wire],
    fields: revision === undefined ? [] : ['deleted_at'],
    ...(revision === undefined ? {} : { revision }),
  })
  context.record(buildFactAbout(`${kind}.${verb}`, wire, {}, effects))
}

/** The operations that restore things of a kind from the bin and delete them for good. */
export const binnable = <
  OwnRow,
  View extends TObject,
  Body extends TObject,
  Params extends TObject,
  Path extends string,
>(
  kind: Exclude<BinKind, 'lesson'>,
  declared: Binnable<OwnRow, View, Body, Params, Path>,
) => {
  const thing = declared as unknown as Checked
  const { id: name, called, who, scope, path, params, example } = thing
  const [param = ''] = Object.keys(params.properties)
  const writing = { who, scope, mode: 'write' } as const
  const { prefix } = binKinds[kind]
  const isOpenTo = async (context: Context, ref: string) => (await thing.isOpenTo?.(context, ref)) ?? true

  const restore = buildRouted({
    ...writing,
    id: `restore${name}`,
    route: `PUT ${path}/restoration`,
    summary: `Restore ${called[0]}`,
    description: `Restores ${called[0]} that was deleted in the last 30 days, with its id, its slug and everything that belonged to it. One that is not deleted stays as it is. ${thing.about}`,
    params,
    body: thing.body,
    returns: thing.returns,
    fails: thing.fails,
    example: { params: example, body: {} },
    async handle(context: Writing) {
      const { db, school } = context
      const ref = String(context.params[param])
      const isOpen = isUuid(ref) && (await isOpenTo(context, ref))
      const taken = isOpen ? await takeFromBin(db, school.id, kind, ref) : undefined
      if (taken === undefined) return thing.view(context, await thing.get(context, ref))
      await thing.restore(context, ref, { ...taken, body: (context.body ?? {}) as Static<TObject> })
      const row = await thing.get(context, ref)
      record(context, kind, row.id, 'restored', { access: restored }, row.revision)
      return thing.view(context, row)
    },
  })

  const purge = buildRouted({
    ...writing,
    id: `purge${name}`,
    route: `DELETE /bin${path}`,
    summary: `Delete ${called[0]} for good`,
    description: `Deletes ${called[0]} that is in the bin for good, as happens to everything that has been in it for 30 days.`,
    confirm: 'person',
    params: Type.Object({ [param]: Id(prefix) }),
    status: 204,
    returns: undefined,
    fails: [],
    example: { params: { [param]: exampleFrom(prefix, 'listBin', { having: { kind } }) } },
    async handle(context: Writing) {
      const { db, school } = context
      const ref = String(context.params[param])
      if (!(await isOpenTo(context, ref)) || (await dropFromBin(db, school.id, kind, ref)) === 0)
        throw new Refusal(notFound, `There is no such ${called[1]} in the bin.`)
      await thing.end?.(context, ref)
      record(context, kind, ref, 'purged', { access: purged })
    },
  })

  return { restore, purge }
}
