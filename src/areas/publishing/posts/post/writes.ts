import { useFile } from '#src/areas/files/index.ts'
import { errorsOfPostCategories } from '#src/areas/publishing/post-categories/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { itemExists } from '#src/contract/items.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { checkNames, chooseSlug, moveSlug } from '#src/db/slugs.ts'
import { picturesNamed } from '#src/kit/body/shown.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { listFiles, type PostBody, searchWords } from '../content/rules.ts'
import { insertVersion } from '../versions/queries.ts'
import { postSlugs } from './conditions.ts'
import { insertPost, type PostRow, type PostSettingValues, type PostTexts } from './queries.ts'
import { BLANK, errorsOfPost, mergedPost, type PostValues, postExternalIdTaken } from './rules.ts'
import type { PostInput } from './schema.ts'

/** Where a post is written; without a caller any file may be used. */
type Writing = SchoolContext & { readonly now: Date; readonly caller?: Caller | undefined }

// Staff can use every file for posts, others only their own: a published post makes its cover public.
const buildOwner = (caller: Caller | undefined): { memberId?: string } =>
  caller?.member === undefined || isStaff(caller) ? {} : { memberId: caller.member.id }

const useCover = async (context: Writing, id: string | null, before: string | null): Promise<void> => {
  if (id === null || id === before) return
  const file = { id, pointer: '/cover_file_id', purposes: ['post'], isShown: true } as const
  await useFile(context, { ...file, ...buildOwner(context.caller) })
}

/** Takes the files that a body names into use, and returns the ids of their rows; `before` are those that the post has already. */
export const useBodyFiles = async (
  context: Writing,
  body: PostBody,
  before: readonly string[] = [],
): Promise<string[]> => {
  const shown = picturesNamed(body.body_html)
  const ids: string[] = []
  for (const name of listFiles(body)) {
    const id = fromId('fil', name) ?? ''
    const file = { id, pointer: '/body', purposes: ['post'], isShown: shown.includes(name) } as const
    if (!before.includes(id)) await useFile(context, { ...file, ...buildOwner(context.caller) })
    ids.push(id)
  }
  return ids
}

// Plans belong to a later area, which locks those that exist.
const errorsOfPlans = async ({ db, school }: SchoolContext, ids: readonly string[]): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const [index, id] of ids.entries()) {
    const found = await itemExists.call({ type: 'membership_plan', id }, { db, school })
    if (!found.some(one => typeof one === 'object'))
      errors.push({ pointer: `/plan_ids/${index}`, code: 'unknown', message: 'is not a membership plan' })
  }
  return errors
}

type Before = Pick<PostRow, 'id' | 'slug' | 'cover_file_id' | 'plan_ids'>

/** Refuses a post with an unknown category, plan or file, or with a slug or external id that another post has. */
export const checkValues = async (context: Writing, values: PostValues, before?: Before): Promise<void> => {
  const { db, school } = context
  const isSamePlans = JSON.stringify(before?.plan_ids) === JSON.stringify(values.plan_ids)
  refuseInvalid([
    ...errorsOfPost(values),
    ...(await errorsOfPostCategories(db, school.id, values.category_ids)),
    ...(isSamePlans ? [] : await errorsOfPlans(context, values.plan_ids)),
  ])
  await checkNames(db, school.id, postSlugs, values, { before, externalIdTaken: postExternalIdTaken })
  await useCover(context, values.cover_file_id, before?.cover_file_id ?? null)
}

/** What is stored of a post beside its version. */
export const storedPost = (values: PostSettingValues & PostTexts, body: PostBody) => ({
  ...values,
  words: searchWords(values, body),
})

/** A post to create, with its rendered text and who writes it. */
export type NewPost = {
  readonly input: PostInput & { readonly title: string }
  /** The body, as `renderedPost` returned it. */
  readonly body: PostBody
  readonly authorId: string | undefined
}

/** Creates a draft with its first version; without a slug one is derived from the title. Returns its UUID. */
export const addPost = async (context: Writing, { input, body, authorId }: NewPost): Promise<string> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanLine(input.title, 200), id)
  const slug = await chooseSlug(db, school.id, postSlugs, id, { slug: input.slug, wanted })
  const values = mergedPost({ ...BLANK, slug }, input)
  await checkValues(context, values)
  const files = await useBodyFiles(context, body)
  await insertPost(db, school.id, { ...storedPost(values, body), id, authorId })
  const version = { ...values, ...body, id: newUuid(now.getTime()), postId: id, number: 1, authorId, files }
  await insertVersion(db, school.id, version)
  await moveSlug(db, school.id, postSlugs, id, { to: slug })
  return id
}
