import { errorsOfPicture, filesById, useFile } from '#src/areas/files/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { firstFreePath, lockSite, pathsElsewhere, putRedirects } from '../addresses/queries.ts'
import { isReserved, pathCandidates, pathTaken } from '../addresses/rules.ts'
import { checkedBlocks, completedBlocks, type NamedFile } from '../blocks/rules.ts'
import type { BlockInput } from '../blocks/schema.ts'
import { countPages, insertPage, type PageRow, type PageValues } from './queries.ts'
import { BLANK, MAX_PAGES, mergedPage, tooManyPages } from './rules.ts'
import type { PageInput } from './schema.ts'

/** Blocks as they are stored, and the files that they name; refuses those that are invalid. Call it before anything is locked. */
export const preparedBlocks = (input: readonly BlockInput[]) => {
  const { errors, files } = checkedBlocks(input)
  refuseInvalid(errors)
  return { blocks: completedBlocks(input), files }
}

const MAX_FILES = 200

/** Takes the files of blocks into use, and returns the ids of their rows; `before` are those that the page has already. */
export const useFiles = async (
  context: SchoolContext,
  named: readonly NamedFile[],
  before: readonly string[] = [],
): Promise<string[]> => {
  const first = new Map(named.map(file => [file.id, file]).toReversed() as [string, NamedFile][])
  if (first.size > MAX_FILES)
    refuseInvalid([{ pointer: '/blocks', code: 'too_many_files', message: `name more than ${MAX_FILES} files` }])
  for (const [id, { pointer }] of first)
    if (!before.includes(id)) await useFile(context, { id, pointer, purposes: ['page'] })
  const rows = await filesById(context.db, context.school.id, [...first.keys()])
  refuseInvalid(
    named.flatMap(({ id, pointer, isShown }) =>
      isShown && rows.has(id) ? errorsOfPicture(rows.get(id), pointer) : [],
    ),
  )
  return [...first.keys()].toSorted()
}

/** Refuses paths that the site has for something else, and those that lead elsewhere; call it under `lockSite`. */
export const checkPaths = async (
  { db, school }: SchoolContext,
  values: Pick<PageValues, 'path' | 'redirects'>,
  id: string | undefined,
): Promise<void> => {
  const wanted = [
    { path: values.path, pointer: '/path' },
    ...values.redirects.map((path, index) => ({ path, pointer: `/redirects/${index}` })),
  ]
  refuseInvalid([
    ...wanted.flatMap(({ path, pointer }) =>
      isReserved(path)
        ? [{ pointer, code: 'reserved', message: 'is a path that the site has for something else' }]
        : [],
    ),
    ...(values.redirects.includes(values.path)
      ? [{ pointer: '/redirects', code: 'loop', message: 'has the path of the page itself' }]
      : []),
  ])
  const paths = wanted.map(({ path }) => path)
  const [other] = await pathsElsewhere(db, school.id, paths, id)
  if (other === undefined) return
  const how = other.is_redirect ? 'is a redirect of' : 'is the path of'
  throw new Refusal(pathTaken, `${other.path} ${how} the page ${toId('pag', other.page_id)}.`)
}

// The host for static pages does not know who asks.
const errorsOfStatic = ({ blocks, visibility }: PageValues) => [
  ...(blocks.length > 0 ? [{ pointer: '/blocks', code: 'static', message: 'does not go with a static page' }] : []),
  ...(visibility === 'members'
    ? [{ pointer: '/visibility', code: 'static', message: 'cannot be members, since this is a static page' }]
    : []),
]

type Kind = PageRow['kind']

/** Refuses a page without a visible title, or with a path that leads elsewhere; call it under `lockSite`. */
export const checkValues = async (
  context: SchoolContext,
  values: PageValues,
  before: PageRow | { readonly kind: Kind },
): Promise<void> => {
  refuseInvalid([
    ...(values.title === '' ? [{ pointer: '/title', code: 'empty', message: 'must contain a visible character' }] : []),
    ...('id' in before && before.is_home && values.visibility === 'members'
      ? [{ pointer: '/visibility', code: 'home', message: 'cannot be members, since this is the home page' }]
      : []),
    ...(before.kind === 'static' ? errorsOfStatic(values) : []),
  ])
  await checkPaths(context, values, 'id' in before ? before.id : undefined)
}

type Prepared = ReturnType<typeof preparedBlocks>

/** A new page: its input, and its blocks as `preparedBlocks` returned them. */
export type NewPage = {
  readonly input: PageInput & { readonly title: string; readonly kind?: Kind }
  readonly prepared: Prepared
}

/** Creates a draft; without a path one is derived from the title. Returns its UUID. */
export const addPage = async (
  context: SchoolContext & { readonly now: Date },
  { input, prepared }: NewPage,
): Promise<string> => {
  const { db, school, now } = context
  await lockSite(db, school.id)
  if ((await countPages(db, school.id)) >= MAX_PAGES)
    throw new Refusal(tooManyPages, `A school has at most ${MAX_PAGES} pages.`)
  const id = newUuid(now.getTime())
  const { kind = 'content' } = input
  const wanted = `/${slugFor(cleanLine(input.title, 60), id).slice(0, 50).replace(/-+$/, '')}`
  const path = input.path ?? (await firstFreePath(db, school.id, pathCandidates(wanted, id)))
  const values = mergedPage({ ...BLANK, path }, input, prepared.blocks)
  await checkValues(context, values, { kind })
  const files = await useFiles(context, prepared.files)
  const version = { ...values, id: newUuid(now.getTime()), pageId: id, number: 1, files }
  await insertPage(db, school.id, { ...values, id, kind }, version)
  await putRedirects(db, school.id, id, values.redirects)
  return id
}
