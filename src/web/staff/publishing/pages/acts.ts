import { PagePreview, SitePage } from '#src/areas/publishing/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { formKeyIn, revisionOf } from '../../form-fields.ts'
import { lineIn } from '../../forms/values.ts'
import { perform, type Visit } from '../../visit.ts'
import { editPath } from './edit-view.ts'
import { type Content, changesOf, type Edited, instantIn } from './page-form.ts'

const paramsOf = ({ request }: Visit) => ({ page_id: request.params.id ?? '' })

/** The page of a request, as staff read it. */
export const pageOf = (visit: Visit): Promise<Content> =>
  perform(visit, { operation: 'getPage', params: paramsOf(visit), returns: SitePage })

const call = (visit: Visit, operation: string, revision: number, body?: object): Promise<Content> =>
  perform(visit, {
    operation,
    params: paramsOf(visit),
    ...(body === undefined ? {} : { body }),
    revision,
    returns: SitePage,
  })

const acts = ['save', 'preview', 'publish', 'schedule'] as const
type SavingAct = (typeof acts)[number]

/** Whether a button saves what was typed. */
export const isSavingAct = (act: string): act is SavingAct => acts.some(name => name === act)

/** Saves what was typed; returns the revision of the page after it. */
export const save = async (visit: Visit, edited: Edited): Promise<number> => {
  // A time that is none is refused before anything is stored.
  if (formField(edited.form, 'act') === 'schedule') instantIn(edited.form, visit)
  const body = changesOf(edited, await pageOf(visit))
  return (await call(visit, 'updatePage', revisionOf(edited.form), body)).revision
}

/** Does what the button says with a page that was just saved with this revision; returns the address that follows. */
export const afterSaving = async (
  visit: Visit,
  act: SavingAct,
  { edited, revision }: { readonly edited: Edited; readonly revision: number },
): Promise<string> => {
  const path = editPath(visit.request.params.id ?? '')
  switch (act) {
    case 'preview': {
      const preview = { operation: 'createPagePreview', params: paramsOf(visit), returns: PagePreview }
      return new URL((await perform(visit, preview)).url).pathname
    }
    case 'publish':
      await call(visit, 'publishPage', revision, {})
      return `${path}?done=published`
    case 'schedule':
      await call(visit, 'publishPage', revision, { at: instantIn(edited.form, visit) })
      return `${path}?done=scheduled`
    default:
      return `${path}?done=saved`
  }
}

const copy = async (visit: Visit, { form }: Edited): Promise<string> => {
  const title = lineIn(form, 'copy_title')
  const body = title === '' ? {} : { title }
  const copied = { operation: 'copyPage', params: paramsOf(visit), body, returns: SitePage, ...formKeyIn(form) }
  return `${editPath((await perform(visit, copied)).id)}?done=created`
}

const remove = async (visit: Visit, { form }: Edited): Promise<string> => {
  const { title } = await pageOf(visit)
  if (lineIn(form, 'confirm') !== title.trim())
    refuseInvalid([{ pointer: '/confirm', code: 'other', message: 'is not the title of the page' }])
  await perform(visit, { operation: 'deletePage', params: paramsOf(visit), revision: revisionOf(form) })
  return '/staff/pages?done=deleted'
}

const moves = {
  unpublish: ['unpublishPage', 'unpublished'],
  setHome: ['setHomePage', 'home'],
  clearHome: ['clearHomePage', 'home'],
} as const

const isMove = (act: string): act is keyof typeof moves => Object.hasOwn(moves, act)

/** Does what a button says that saves nothing; returns the address that follows. */
export const actAlone = async (visit: Visit, edited: Edited): Promise<string> => {
  const act = formField(edited.form, 'act')
  if (act === 'copy') return copy(visit, edited)
  if (act === 'delete') return remove(visit, edited)
  if (!isMove(act)) throw new Refusal(formRefused, 'The form has no valid action.')
  const [operation, done] = moves[act]
  await call(visit, operation, revisionOf(edited.form))
  return `${editPath(visit.request.params.id ?? '')}?done=${done}`
}
