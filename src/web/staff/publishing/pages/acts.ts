import { PagePreview, SitePage } from '#src/areas/publishing/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { formKeyIn, readLine, revisionIn } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { buildBinned } from '../../pages/binned.ts'
import { editPath } from './edit-view.ts'
import { type Content, type Edited, instantIn, readChanges } from './page-form.ts'

const readParams = ({ request }: StaffContext) => ({ page_id: request.params.id ?? '' })

/** The page of a request, as staff read it. */
export const readPage = (context: StaffContext): Promise<Content> =>
  context.call({ operation: 'getPage', params: readParams(context), returns: SitePage })

const call = (context: StaffContext, operation: string, revision: number, body?: object): Promise<Content> =>
  context.call({
    operation,
    params: readParams(context),
    ...(body === undefined ? {} : { body }),
    revision,
    returns: SitePage,
  })

const acts = ['save', 'preview', 'publish', 'schedule'] as const
type SavingAct = (typeof acts)[number]

/** Whether a button saves what was typed. */
export const isSavingAct = (act: string): act is SavingAct => acts.some(name => name === act)

/** Saves what was typed; returns the revision of the page after it. */
export const save = async (context: StaffContext, edited: Edited): Promise<number> => {
  // A time that is none is refused before anything is stored.
  if (formField(edited.form, 'act') === 'schedule') instantIn(edited.form, context)
  const body = readChanges(edited, await readPage(context))
  return (await call(context, 'updatePage', revisionIn(edited.form), body)).revision
}

/** Does what the button says with a page that was just saved with this revision; returns the address that follows. */
export const afterSaving = async (
  context: StaffContext,
  act: SavingAct,
  { edited, revision }: { readonly edited: Edited; readonly revision: number },
): Promise<string> => {
  const path = editPath(context.request.params.id ?? '')
  switch (act) {
    case 'preview': {
      const preview = { operation: 'createPagePreview', params: readParams(context), returns: PagePreview }
      return new URL((await context.call(preview)).url).pathname
    }
    case 'publish':
      await call(context, 'publishPage', revision, {})
      return `${path}?done=published`
    case 'schedule':
      await call(context, 'publishPage', revision, { at: instantIn(edited.form, context) })
      return `${path}?done=scheduled`
    default:
      return `${path}?done=saved`
  }
}

const copy = async (context: StaffContext, { form }: Edited): Promise<string> => {
  const title = readLine(form, 'copy_title')
  const body = title === '' ? {} : { title }
  const copied = { operation: 'copyPage', params: readParams(context), body, returns: SitePage, ...formKeyIn(form) }
  return `${editPath((await context.call(copied)).id)}?done=created`
}

const remove = async (context: StaffContext, { form }: Edited): Promise<string> => {
  const params = readParams(context)
  await context.call({ operation: 'deletePage', params, revision: revisionIn(form) })
  return buildBinned('/staff/pages', params.page_id)
}

const moves = {
  unpublish: ['unpublishPage', 'unpublished'],
  setHome: ['setHomePage', 'home'],
  clearHome: ['clearHomePage', 'home'],
} as const

const isMove = (act: string): act is keyof typeof moves => Object.hasOwn(moves, act)

/** Does what a button says that saves nothing; returns the address that follows. */
export const actAlone = async (context: StaffContext, edited: Edited): Promise<string> => {
  const act = formField(edited.form, 'act')
  if (act === 'copy') return copy(context, edited)
  if (act === 'delete') return remove(context, edited)
  if (!isMove(act)) throw new Refusal(formRefused, 'The form has no valid action.')
  const [operation, done] = moves[act]
  await call(context, operation, revisionIn(edited.form))
  return `${editPath(context.request.params.id ?? '')}?done=${done}`
}
