import type { Static } from 'typebox'
import { type AnswerableVersion, Form, findAnswerable } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fromId } from '#src/kit/ids.ts'
import type { PublicContext, PublicParts } from '#src/web/page/index.ts'

/** What the pages of forms need. */
export type FormPagesParts = PublicParts & {
  /** A key for one purpose, derived from the installation's secret. */
  keyFor(purpose: string): Buffer
}

/** A form, as the API returns it to anybody. */
type FormView = Encoded<Static<typeof Form>>

/** A page of a form. */
export type FormContext = PublicContext<FormPagesParts> & { readonly view: FormView }

/** The form of a page, as anybody reads it. */
export const readView = ({ request, params, parts }: PublicContext<FormPagesParts>): Promise<FormView> => {
  const { school, requestId, network } = request
  const call = { operation: 'getForm', params: { form_id: `slug:${params.slug ?? ''}` }, returns: Form } as const
  return parts.performAs({ school, requestId, network }, call)
}

/** The UUID of a form. */
export const toRowId = ({ id }: Pick<FormView, 'id'>): string => fromId('frm', id) ?? ''

/** The version that a page showed; undefined once it takes no answers any more. */
export const findVersion = (
  { request, school, view }: FormContext,
  version: number,
): Promise<AnswerableVersion | undefined> =>
  request.database.statements(school.id, db => findAnswerable(db, school.id, toRowId(view), version))
